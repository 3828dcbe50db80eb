"""`poinsot doctor` on a machine with a display."""

import json
import subprocess
import sys


def test_the_window_and_the_screens_are_looked_at():
    done = subprocess.run(
        [sys.executable, "-m", "viewer", "doctor", "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done
    facts = json.loads(done.stdout)
    assert facts["display"]["available"]
    assert facts["display"]["screens"][0]["width"] >= 640
    assert facts["display"]["version"][0] >= "3"
    assert facts["stereo"]["anaglyph"] == "works"
    assert facts["picture"]["right"]
