"""A class in which every input that once ended or choked a whole run sits beside honest students.

Each gets a result or a reason, and the honest ones get, to the byte, what they get without the others.
"""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import shutil
import socket
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import pytest

from autograder import grading
from autograder.cli import main
from autograder.loading import load
from autograder.sandbox.isolation import choose
from autograder.store import folder_of, read_results
from autograder.submission import discover
from autograder.text import printable
from autograder.workers import Grader, Task

ROOT = Path(__file__).parent.parent
HONEST = """import numpy as np

def convolve(x, h):
    if not len(x) * len(h):
        raise ValueError
    y = np.zeros(len(x) + len(h) - 1)
    for k, s in enumerate(x):
        y[k : k + len(h)] += s * h
    return y
"""
# Takes the protocol over at import and answers each question with what the next lines make of its number.
WIRE = """import os, struct, msgpack, wire
import numpy as np

def take(n):
    data = b""
    while len(data) < n:
        chunk = os.read(3, n - len(data))
        if not chunk:
            os._exit(0)
        data += chunk
    return data

def send(data):
    data = memoryview(struct.pack("!i", len(data)) + data)
    while data:
        data = data[os.write(3, data):]

def packed(body, **fields):
    pairs = b"".join(b"\\x92" + msgpack.packb(key) + value for key, value in fields.items())
    skeleton = b"\\x92" + msgpack.packb("dict") + bytes([0x90 + len(fields)]) + pairs
    send(struct.pack("<I", len(skeleton)) + skeleton + body)

def questions():
    send(wire.encode({"id": 0, "value": None, "changed": False, "cpu": 0.0}))
    while True:
        yield msgpack.packb(wire.decode(take(struct.unpack("!i", take(4))[0]))["id"])

NO, ZERO = msgpack.packb(False), msgpack.packb(0.0)
"""
ARRAYS = WIRE + "LARGE, BODY = msgpack.packb(['list', [['array', '<f8', [8]]] * 40_000]), bytes(64 * 40_000)\n"
THREADS = """
import ctypes, mmap
libc = ctypes.CDLL(None, use_errno=True)
area = mmap.mmap(-1, 4096, prot=7)
area.write(bytes.fromhex("b822000000" "0f05" "ebf7"))  # pause() for ever
entry = ctypes.addressof(ctypes.c_char.from_buffer(area))
attributes = ctypes.create_string_buffer(256)
libc.pthread_attr_init(attributes)
libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(16384))
for _ in range(3000):
    libc.pthread_create(ctypes.byref(ctypes.c_ulong()), attributes, ctypes.c_void_p(entry), None)
"""
SOURCES = {
    "id is an array": WIRE + "send(wire.encode({'id': np.zeros(2)}))\n",
    "a field is an array": WIRE + "for n in questions(): packed(bytes(16), id=n, unsuitable=msgpack.packb(['array', '<f8', [2]]))\n",
    "arrays in detail": ARRAYS + "for n in questions(): packed(BODY, id=n, raised=msgpack.packb('KeyError'), detail=LARGE)\n",
    "arrays in malformed": ARRAYS + "for n in questions(): packed(BODY, id=n, malformed=LARGE)\n",
    "tiny arrays": WIRE + "LARGE = msgpack.packb(['list', [['tensor', '<f8', [0] * 20, 'gaps']] * 40_000])\n"
    "for n in questions(): packed(b'', id=n, value=LARGE, changed=NO, cpu=ZERO)\n",
    "64 MB each time": WIRE + "LARGE, BODY = msgpack.packb(['array', '<f8', [8_000_000]]), bytes(64_000_000)\n"
    "for n in questions(): packed(BODY, id=n, value=LARGE, changed=NO, cpu=ZERO)\n",
    "huge around nothing": "import numpy as np\ndef convolve(x, h): return np.zeros((1 << 26, 32, 0))\n",
    "huge around a dimension": "import numpy as np\ndef convolve(x, h): return np.zeros((1, 0, 1 << 19))\n",
    "threads": THREADS,
    "loop": "def convolve(x, h):\n    while True: pass\n",
    "exit": "import os\ndef convolve(x, h): os._exit(0)\n",
    "exit at import": "raise SystemExit(0)\n",
    "messages": "class E(Exception): pass\ndef convolve(x, h): raise E('\\x1b[31m\\r=1+1')\n",
}
