"""A table whose columns are not known is dropped on the window; what is said of them holds for the next one."""

import numpy as np
import pytest
from helpers.recorded_motion import MOMENTS, motion, rows_of

from viewer import cli
from viewer.commands.opening import ask_columns
from viewer.replay import scene as replay_scene
from viewer.workspace.files import Request


def write(path, slower=1.0):
    t = 0.01 * np.arange(600)
    rates = np.degrees(np.stack((np.cos(t / slower), np.sin(t / slower), 2 + 0 * t), axis=1))
    head = "elapsed,about roll,about pitch,heading"
    np.savetxt(path, np.column_stack((t, rates)), delimiter=",", header=head, comments="", fmt="%.12g")


def test_columns_are_asked_about_once(desktop, tmp_path):
    d = desktop(size=(1280, 720))
    before = d.scenario
    for name in ("one.csv", "two.csv"):
        write(tmp_path / name)
    d.app.on_file_drop(0, 0, [str(tmp_path / "one.csv")])
    d.settle()
    assert d.app.ui.columns_dialog.is_open
    d.key("Escape")
    assert not d.app.ui.columns_dialog.is_open
    assert d.scenario == before
    d.app.on_file_drop(0, 0, [str(tmp_path / "one.csv")])
    d.settle()
    for number, label in ((2, "wx"), (3, "wy"), (4, "wz")):
        d.click(*d.middle(f"##column_{number}"))
        d.click(*d.middle(label))
    d.click(*d.middle("##unit_wx"))
    d.click(*d.middle("deg/s"))
    d.click(*d.middle("Open"))
    assert not d.app.ui.columns_dialog.is_open
    x, y, z = d.scenario.start.angular_velocity  # about a symmetric body's axes: x and y may be any across z
    np.testing.assert_allclose((np.hypot(x, y), z), (1.0, 2.0), rtol=1e-6)  # as written, in deg/s
    assert "t=elapsed,wx[deg/s]=about roll" in replay_scene.columns_file().read_text()
    d.app.on_file_drop(0, 0, [str(tmp_path / "two.csv")])
    d.settle()
    assert not d.app.ui.columns_dialog.is_open
    assert d.scenario.title == "two.csv"


@pytest.mark.slow
def test_angles_in_another_order(desktop, tmp_path):
    d = desktop(size=(1280, 720))
    made = motion()
    angles = np.degrees(made.turn.as_euler("XYZ"))
    head = "elapsed,bank,nose,heading"
    np.savetxt(tmp_path / "a.csv", np.column_stack((made.t, angles)), delimiter=",", header=head, comments="")
    d.app.on_file_drop(0, 0, [str(tmp_path / "a.csv")])
    d.settle()
    d.click(*d.middle("##column_2"))
    d.click(*d.middle("roll"))
    d.click(*d.middle("##unit_roll"))
    d.click(*d.middle("deg"))
    d.click(*d.middle("##unit_sequence"))
    d.click(*d.middle("xyz"))
    d.click(*d.middle("Open"))
    assert not d.app.ui.columns_dialog.is_open
    assert "t=elapsed,roll[deg xyz]=bank,pitch=nose,yaw=heading" in replay_scene.columns_file().read_text()
    ratios = np.sort(d.scenario.body.moments) / max(d.scenario.body.moments)
    np.testing.assert_allclose(ratios, np.sort(MOMENTS) / MOMENTS.max(), rtol=1e-4)


def test_direction_axes_and_moments_are_declared_for_the_open_recording(desktop, tmp_path):
    made, path = motion(), tmp_path / "log.csv"
    columns = made.t, made.quaternions(), made.turn.apply(made.rates)
    path.write_text("t,qw,qx,qy,qz,wx,wy,wz\n" + rows_of(*columns))
    d = desktop(size=(1280, 720))
    d.app.on_file_drop(0, 0, [str(path)])
    d.until(lambda: d.session.document.recordings is not None)
    ask_columns(d.app.workspace)
    d.settle()
    for field, option in (("unit_qw", "world from body"), ("unit_frame", "world")):
        d.click(*d.middle(f"##{field}"))
        d.click(*d.middle(option))
    d.click(*d.middle("##columns moments"))
    d.type("1, 2, 2.5")
    d.click(*d.middle("Open"))
    d.until(lambda: d.session.document.recordings.recordings[0].read_as.wanted.moments == (1.0, 2.0, 2.5))
    mapping = "t=t,qw[world from body]=qw,qx=qx,qy=qy,qz=qz,wx[world]=wx,wy=wy,wz=wz"
    assert str(d.session.document.recordings.recordings[0].read_as.columns) == mapping
    assert "2.5" not in replay_scene.columns_file().read_text()
    np.testing.assert_allclose(d.scenario.body.moments, (1.0, 2.0, 2.5))


def test_another_file_that_is_dropped_ends_the_question(desktop, tmp_path):
    d = desktop(size=(1280, 720))
    write(tmp_path / "one.csv")
    d.app.on_file_drop(0, 0, [str(tmp_path / "one.csv")])
    d.settle()
    assert d.app.ui.columns_dialog.is_open
    (tmp_path / "rod.toml").write_text('[scene]\ntitle = "a rod"\n')
    d.app.on_file_drop(0, 0, [str(tmp_path / "rod.toml")])
    d.settle()
    assert not d.app.ui.columns_dialog.is_open
    d.app.on_file_drop(0, 0, [str(tmp_path / "one.csv")])
    d.settle()
    assert d.app.ui.columns_dialog.is_open  # it is asked anew


def test_the_command_asks_in_the_window(tmp_path, monkeypatch):
    write(tmp_path / "one.csv")
    given = []
    monkeypatch.setattr("viewer.app.app.App", lambda start: given.append(start) or Closed())
    assert cli.main([str(tmp_path / "one.csv")]) == 0
    assert given[0].opening.name == str(tmp_path / "one.csv")
    assert given[0].recording is None


def test_a_window_that_begins_with_an_unknown_table_asks(desktop, tmp_path):
    write(tmp_path / "one.csv")
    d = desktop(size=(1280, 720), opening=Request(str(tmp_path / "one.csv"), begins=True))
    d.settle()
    assert d.app.ui.columns_dialog.is_open


class Closed:
    """A window that nobody sees."""

    def run(self) -> None:
        pass
