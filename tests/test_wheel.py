"""The built wheel, with the source out of sight, finds its shaders and assets: unpacked and as a zip."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module", params=["unpacked", "zip"])
def installed(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What stands on the path: a folder with the unpacked wheel, or the wheel itself, which is a zip."""
    if request.param == "zip":
        return wheel
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, folder: Path, code: str) -> str:
    """Runs Python in `folder` with the wheel in front of everything; fails where it finds the source."""
    guard = f"import sys; sys.path.insert(0, {str(installed)!r}); import viewer;"
    guard += f"assert {str(installed)!r} in viewer.__file__, viewer.__file__;"
    hidden = {"PYTHONPATH": "", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", guard + code],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | hidden,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_file_of_shaders_and_assets_is_in_the_wheel(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [path for kind in ("shaders", "assets") for path in (ROOT / kind).rglob("*") if path.is_file()]
    assert len(files) > 10
    wanted = {f"viewer/{path.relative_to(ROOT).as_posix()}" for path in files if path.parent.name != "pictures"}
    assert wanted <= names
    assert not [
        name
        for name in names
        if name.startswith(("tests/", "shaders/", "assets/")) or "__pycache__" in name or "/pictures/" in name
    ]


def test_presets(installed: Path, tmp_path: Path) -> None:
    out = run(installed, tmp_path, "from viewer.cli import main; sys.exit(main(['presets']))")
    assert "paper-fig1" in out
    assert len(out.splitlines()) == len(list((ROOT / "assets" / "scenes").rglob("*.toml")))


def test_render(installed: Path, tmp_path: Path) -> None:
    run(
        installed,
        tmp_path,
        "from viewer.cli import main;"
        "sys.exit(main('render paper-fig1 --time 1 --size 160x90 --stereo anaglyph -o a.png'.split()))",
    )
    from PIL import Image

    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (160, 90)
        assert len(picture.getcolors(160 * 90) or ()) > 500


def test_the_command_is_declared(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert "poinsot = viewer.__main__:main" in archive.read(entry_points).decode()
