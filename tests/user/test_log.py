"""The log file: whole entries, bounded in size, never a reason to stop."""

import threading

from viewer import cli
from viewer.user import log


def test_an_entry_has_time_kind_words_and_indented_detail():
    log.write("error", "body.mass: 0 kg\nis outside", "first\nsecond")
    lines = log.path().read_text("utf-8").splitlines()
    assert lines[0].endswith("error: body.mass: 0 kg is outside")
    assert lines[1:] == ["    first", "    second"]


def test_an_exception_is_one_line_and_its_traceback_the_detail():
    try:
        raise ValueError("so\nmuch")
    except ValueError as error:
        words, detail = log.crash(error)
    assert words == "internal error: ValueError: so much"
    assert "Traceback" in detail
    assert "test_log.py" in log.path().read_text("utf-8")


def test_it_does_not_grow_without_bound(monkeypatch):
    monkeypatch.setattr(log, "LARGEST", 2000)
    for i in range(200):
        log.write("error", f"number {i} " + "x" * 60)
    files = sorted(log.path().parent.iterdir())
    assert [file.name for file in files] == ["poinsot.log", "poinsot.log.1"]
    assert all(file.stat().st_size <= 2000 for file in files)
    assert "number 199" in log.path().read_text("utf-8")


def test_entries_of_many_at_once_stay_whole():
    threads = [threading.Thread(target=lambda: [log.write("error", "y" * 200) for _ in range(20)])
               for _ in range(4)]  # fmt: skip
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    lines = log.path().read_text("utf-8").splitlines()
    assert len(lines) == 80
    assert all(line.endswith("error: " + "y" * 200) for line in lines)


def test_where_it_cannot_be_written_nothing_happens(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("POINSOT_HOME", str(tmp_path / "file"))
    log.write("error", "nobody hears it \udcff")


def test_a_command_that_fails_as_nobody_expected_says_one_line(monkeypatch, capsys):
    def broken(words):
        raise RuntimeError("ouch")

    monkeypatch.setattr("viewer.cli.about.presets", broken)
    assert cli.main(["presets"]) == 1
    said = capsys.readouterr().err
    assert said == f"poinsot: internal error: RuntimeError: ouch (more in {log.path()})\n"
    assert "Traceback" in log.path().read_text("utf-8")
