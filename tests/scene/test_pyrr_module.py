"""Our part of pyrr is pyrr's own, and pyrr is whole for whoever imports it before or after us."""

import subprocess
import sys

import pytest
from helpers.processes import environment

OURS = "from viewer.scene.camera.pyrr_module import matrix44"
WHOLE = "import pyrr"
SAME = "assert pyrr.matrix44 is matrix44 and pyrr.Matrix44.identity().shape == (4, 4) and pyrr.Quaternion() is not None"


@pytest.mark.parametrize("imports", [(OURS, WHOLE), (WHOLE, OURS)])
def test_it_is_the_same_in_either_order(imports):
    code = "; ".join([*imports, SAME])
    subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment(), check=True, timeout=60)


def test_its_classes_are_not_loaded():
    code = f"{OURS}; import sys; print('pyrr' in sys.modules, 'pyrr.objects' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), check=True, timeout=60, capture_output=True, text=True
    )
    assert done.stdout.split() == ["False", "False"]
