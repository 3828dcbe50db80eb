"""Requests to end the program."""

import os
import subprocess
import sys

import pytest

DROPPED = """
import os, signal, time
from viewer.common import signals

class Ends:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.01)

signals.take_over()
try:
    Ends()  # at once
    for _ in range(2000):
        time.sleep(0.01)
except signals.Interrupted as error:
    print(error.status)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_a_request_is_heard_also_where_python_drops_the_exception() -> None:
    done = subprocess.run([sys.executable, "-c", DROPPED], capture_output=True, text=True, timeout=60.0, check=True)
    assert (done.stdout, done.stderr) == ("143\n", "")
