"""Which files are taken for recordings, before they are read."""

import pytest

from viewer.scenario.recordings import is_recording
from viewer.scenario.scenario import Scenario


@pytest.mark.parametrize("name", ["a.csv", "b.TSV", "c.zip", "d.npz", "e.gcsv", "f.aem", "g.a", "qbn.42", "h.npy"])
def test_by_their_suffix(name):
    assert is_recording(name)


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.txt", b"CCSDS_AEM_VERS = 1.0\n", True),
        ("a", b"stk.v.11.0\n", True),
        ("a.dat", b"# timestamp tx ty tz\n1 2 3 4\n", True),
        ("a.log", b"t,wx,wy,wz\n0,1,2,3\n", True),
        ("a.txt", b'"Time (s)";"Gyroskop x (rad/s)"\n', True),
        ("a.txt", b"PK\x03\x04", True),
        ("a.txt", b'title = "a scene"\n[body]\n', False),
        ("a", b"[body]\nshape = 'rod'\n", False),
        ("a.toml", b"t,wx,wy,wz\n0,1,2,3\n", False),
        ("a.png", b"t,wx,wy,wz\n0,1,2,3\n", False),
        ("a.txt", b"", False),
        ("a.txt", b"1 2 3 4\n", True),
        ("a.txt", b"(scene)\n1,2,3,4\n", False),
    ],
)
def test_others_by_what_they_begin_with(tmp_path, name, content, found):
    (tmp_path / name).write_bytes(content)
    assert is_recording(str(tmp_path / name)) == found


def test_a_folder_may_be_one_and_a_preset_is_none(tmp_path, monkeypatch):
    assert is_recording(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rod").mkdir()
    assert not is_recording("rod")
    assert not is_recording("nothing")
    assert not is_recording("a\0b")


def test_a_scene_of_any_name_stays_a_scene(tmp_path):
    text = Scenario.preset("rod").to_text()
    for name in ("a.txt", "a"):
        (tmp_path / name).write_text(text)
        assert not is_recording(str(tmp_path / name))
