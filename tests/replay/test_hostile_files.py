"""Files that are none, or made to do harm: one line, exit status 2, and nothing is opened that is not meant."""

import io
import os
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

from viewer.cli import main
from viewer.common.errors import InputError
from viewer.replay.formats.formats import read_recording

ROWS = "".join(f"{0.01 * n:.2f},{np.cos(n):.6f},{np.sin(n):.6f},0.5\n" for n in range(40))
TABLE = "t,wx,wy,wz\n" + ROWS


def refused(path, told: str, capsys) -> None:
    """In one line, with exit status 2."""
    with pytest.raises(InputError) as error:
        read_recording(path)
    assert told in str(error.value)
    assert main(["replay", str(path)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert told in lines[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a.csv: contains no table of numbers"),
        ("\n\n\n", "a.csv: contains no table of numbers"),
        ("t,wx,wy,wz\n", "a.csv: rows of finite numbers: 0; at least 8 are needed"),
        ("t,wx,wy,wz\n0,1,2,3\n", "a.csv: rows of finite numbers: 1; at least 8 are needed"),
        (",".join(map(str, range(1_000_000))) + "\n", "a.csv, line 1: is longer than 65536 characters"),
        ("t,wx,wy,wz\n" + "0.5," * 1_000_000, "a.csv, line 2: is longer than 65536 characters"),
        ("t;wx;wy;wz\n" + ROWS.replace(",", ";").replace("\n0.10;", "\n0,1,0;"), "a.csv, line 12: t: '0,1,0' is not a"),
    ],
)  # fmt: skip
def test_tables_that_are_none(tmp_path, capsys, text, told):
    (tmp_path / "a.csv").write_text(text)
    refused(tmp_path / "a.csv", told, capsys)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_points_and_decimal_commas_may_be_mixed_in_any_encoding(tmp_path, encoding, ends):
    rows = [line.replace(",", ";") for line in ROWS.splitlines()]
    rows = [row.replace(".", ",") if n % 2 else row for n, row in enumerate(rows)]
    text = "t;ωx;ωy;ωz;Größe\n" if encoding.startswith("utf") else "t;wx;wy;wz;Größe\n"
    text += "".join(f"{row};ä\n" for row in rows)
    (tmp_path / "a.csv").write_bytes(text.replace("\n", ends).encode(encoding))
    found = read_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(found.rates[:, 0], np.cos(np.arange(40)), atol=1e-6)


def zipped(members: dict[str, bytes | str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def test_an_archive_in_an_archive_is_not_unpacked(tmp_path, capsys):
    inner = zipped({"a.csv": TABLE})
    (tmp_path / "a.zip").write_bytes(zipped({"inner.zip": inner}))
    refused(tmp_path / "a.zip", "a.zip: is a folder or an archive without a recording", capsys)
    refused(
        tmp_path / "a.zip" / "inner.zip" / "a.csv", "a.zip: holds no 'inner.zip/a.csv'; it holds 'inner.zip'", capsys
    )


def test_paths_into_an_archive_do_not_lead_out_of_it(tmp_path, capsys):
    (tmp_path / "secret.csv").write_text(TABLE)
    (tmp_path / "a.zip").write_bytes(zipped({"a.csv": TABLE, "../secret.csv": TABLE}))
    for inside in ("x/../../secret.csv", "secret.csv", "../secret.csv2"):
        with pytest.raises(InputError):
            read_recording(f"{tmp_path}/a.zip/{inside}")


def test_a_link_in_an_archive_is_no_file_and_leads_nowhere(tmp_path, capsys):
    (tmp_path / "secret.csv").write_text(TABLE)
    entry = zipfile.ZipInfo("link.csv")
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(entry, str(tmp_path / "secret.csv"))
    with pytest.raises(InputError, match=r"a\.zip"):
        read_recording(tmp_path / "a.zip")
    assert main(["replay", str(tmp_path / "a.zip")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without them")
def test_a_pipe_is_not_waited_for(tmp_path, capsys):
    os.mkfifo(tmp_path / "a.csv")
    began = time.monotonic()
    refused(tmp_path / "a.csv", "a.csv", capsys)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "folder" / "b.csv")
    refused(tmp_path / "folder", "folder: is a folder or an archive without a recording", capsys)
    assert time.monotonic() - began < 30.0


def test_devices_and_folders_without_anything_are_refused(tmp_path, capsys):
    refused(tmp_path, "is a folder or an archive without a recording", capsys)
    refused(tmp_path / "none.csv", "none.csv", capsys)
    if os.path.exists("/dev/zero"):
        refused("/dev/zero", "zero", capsys)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without users")
def test_a_file_without_permission_is_told():
    code = (
        "import os, sys\n"
        "from viewer.cli import main\n"
        "import viewer.replay.scene\n"
        "if os.geteuid() == 0: os.setuid(65534)\n"
        "sys.exit(main(['replay', sys.argv[1]]))\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_text(TABLE)
        path.chmod(0)
        Path(folder).chmod(0o755)
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, timeout=120)
    if "in setuid" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip("users cannot be changed here")
    assert done.returncode == 2
    assert done.stderr == f"poinsot: {path}: cannot be read: Permission denied\n"


def test_a_file_that_grows_while_it_is_read_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("t,wx,wy,wz\n" + "".join(f"{n},1,2,{n % 7}\n" for n in range(200_000)))
    ended = threading.Event()

    def grow() -> None:
        with path.open("a") as file:
            n = 200_000
            while not ended.is_set() and n < 400_000:
                file.write("".join(f"{n + k},1,2,{(n + k) % 7}\n" for k in range(100)))
                file.flush()
                n += 100

    writer = threading.Thread(target=grow)
    writer.start()
    try:
        found = read_recording(path)
    finally:
        ended.set()
        writer.join()
    assert len(found.time) >= 200_000 - 1
    np.testing.assert_array_equal(found.time, np.arange(len(found.time)))
    np.testing.assert_array_equal(found.rates[:, 2], np.arange(len(found.time)) % 7)
