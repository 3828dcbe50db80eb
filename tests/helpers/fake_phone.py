"""A phone that runs phyphox: a small server that answers as the app's remote access does."""

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np

GYROSCOPE = {"t": "gyr_time", "x": "gyrX", "y": "gyrY", "z": "gyrZ", "abs": "gyr"}
ACCELEROMETER = {"t": "acc_time", "x": "accX", "y": "accY", "z": "accZ", "abs": "acc"}


class FakePhone:
    """`data`: by buffer all values, of which those up to `until` [s] have been measured. `asked`: every request.

    `answer`: where it is set, bytes (and a status) that are sent whatever is asked.
    """

    def __init__(self) -> None:
        self.data: dict[str, list[float | None]] = {}
        self.until = 0.0
        self.session, self.measuring, self.has_config = "a1b2c3", True, True
        self.sensors = {"gyroscope": GYROSCOPE}
        self.asked: list[str] = []
        self.answer: tuple[int, bytes] | None = None
        self.headers: dict[str, str] = {}
        self.url = ""

    def measure(self, sensor: str, time: np.ndarray, values: np.ndarray) -> None:
        """What a sensor measures, now and later: time (N,), values (N, 3)."""
        self.sensors[sensor] = names = GYROSCOPE if sensor == "gyroscope" else ACCELEROMETER
        self.data[names["t"]] = [float(t) for t in time]
        for n, axis in enumerate("xyz"):
            self.data[names[axis]] = [None if np.isnan(v) else float(v) for v in values[:, n]]

    def get(self, query: str) -> dict[str, Any]:
        """The answer to /get."""
        buffers = {}
        for name, wanted in parse_qsl(query, keep_blank_values=True):
            if name not in self.data:
                continue
            sensor = next(names for names in self.sensors.values() if name in names.values())
            count = int(np.searchsorted(self.data[sensor["t"]], self.until, side="right"))
            values, mode = self.data[name][:count], "full"
            if wanted == "":
                values, mode = values[-1:], "single"
            elif wanted != "full":
                after, _, reference = wanted.partition("|")
                times = self.data[reference or name][:count]
                values = [v for v, t in zip(values, times, strict=True) if t > float(after)]
                mode = "partial"
            buffers[name] = {"size": 0, "updateMode": mode, "buffer": values}
        status = {"session": self.session, "measuring": self.measuring, "timedRun": False, "countDown": 0}
        return {"buffer": buffers, "status": status}

    def config(self) -> dict[str, Any]:
        """The answer to /config."""
        inputs = [
            {"source": source, "outputs": [{key: name} for key, name in names.items()]}
            for source, names in self.sensors.items()
        ]
        return {"crc32": "0", "title": "Gyroscope", "category": "Raw Sensors", "inputs": inputs, "buffers": []}


@contextlib.contextmanager
def fake_phone() -> Iterator[FakePhone]:
    """A phone at an address of this machine, while the block runs."""
    phone = FakePhone()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            phone.asked.append(self.path)
            parts, status = urlsplit(self.path), 200
            if phone.answer is not None:
                status, text = phone.answer
            elif parts.path == "/get":
                text = json.dumps(phone.get(parts.query)).encode()
            elif parts.path == "/config" and phone.has_config:
                text = json.dumps(phone.config()).encode()
            else:
                status, text = 404, b"not found"
            self.send_response(status)
            for key, value in phone.headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    phone.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield phone
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
