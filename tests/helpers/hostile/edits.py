"""Edits that no author of a file would make: other bytes, other numbers, columns scaled."""

import re
from itertools import count

from hypothesis import strategies as st

from viewer.scenario import embedded

NUMBER = re.compile(rb"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
NUMBERS = [
    *(
        b"9" * 400,
        b"9" * 5000,
        b'"1' + b" " * 20_000 + b'("',
        "\u0663".encode(),
        "\u00bd".encode(),
        b'"1"',
        b"[]",
        b"{}",
    ),
    *b"0 -0 1 -1 0.5 1e308 -1e308 1e-308 5e-324 1e999 inf -inf nan NaN 1e30 -1e30 1e-30 1e160 1e-160 1e15".split(),
    *b"9007199254740993 4294967296 2147483648 -2147483649 65536 256 0x10 1_000 1,5 true null".split(),
]
FACTORS = [1e-300, 1e-200, 1e-160, 1e-100, 1e-30, 1e-15, 1e-6, 0.0, -1.0, 1e6, 1e15, 1e30, 1e100, 1e160, 1e300]


def edited(data: bytes, edits: list[tuple[float, int, bytes]]) -> bytes:
    """`data` with, at each share of its length, so many bytes replaced by others."""
    for at, length, piece in edits:
        start = int(at * len(data))
        data = data[:start] + piece + data[start + length :]
    return data[: embedded.TEXT_LIMIT + 10]


def with_numbers(data: bytes, at: list[float], number: bytes) -> bytes:
    """A text with a few of its numbers replaced, at shares of them all."""
    found = list(NUMBER.finditer(data))
    chosen = {int(share * (len(found) - 1)) for share in at} if found else set()
    for match in (found[index] for index in sorted(chosen, reverse=True)):
        data = data[: match.start()] + number + data[match.end() :]
    return data


def scaled(data: bytes, every: int, first: int, factor: float) -> bytes:
    """A text with every so many of its numbers multiplied, as a column of a table."""
    counted = count()

    def new(match: "re.Match[bytes]") -> bytes:
        chosen = next(counted) % every == first % every
        return repr(float(match[0]) * factor).encode() if chosen else match[0]

    return NUMBER.sub(new, data)


def mutations(corpus: list[bytes], pieces: list[bytes], text: bool = True) -> st.SearchStrategy[bytes]:
    """Files of the corpus with a few edits, or other numbers where they are text, and bytes of no file at all."""
    piece = st.one_of(st.sampled_from(pieces), st.binary(max_size=6))
    edit = st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 1, 2, 4, 9, 60, 10**6]), piece)
    file = st.sampled_from(corpus)
    found = [st.builds(edited, file, st.lists(edit, max_size=5))]
    if text:
        shares = st.lists(st.floats(0, 1), min_size=1, max_size=4)
        found.append(st.builds(with_numbers, file, shares, st.sampled_from(NUMBERS)))
        found.append(st.builds(scaled, file, st.integers(1, 15), st.integers(0, 14), st.sampled_from(FACTORS)))
    return st.one_of(*found, st.binary(max_size=300))


WORDS = [
    b"9" * 400,
    b"[" * 300,
    b"\xff",
    b"\0",
    b"\n",
    b"\n[body]\n",
    b" = ",
    b"version = 2\n",
    b"keys = [[0, 1, 2, 3]]",
]
WORDS += b"mass nan -inf 1e999 0x true \" ''' [[ ] { } # . , \\u0000 1979-05-27 /etc/passwd ${HOME} !!python".split()
WORDS.append(b"\"__import__('os').system('touch x')\"")
