"""Confinement of one forked child, applied by the child itself before it receives any student code.

Each step is independent of the others and raises if it fails; a failure is the grader's, never a student's.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)

# linux/sched.h, sys/mount.h, linux/prctl.h, linux/seccomp.h
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x8, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 1, 4, 22, 38, 2
CAPABILITY_VERSION_3 = 0x20080522

BOX = "/box"


def lock(spec: dict[str, Any]) -> None:
    """Apply every layer that ``spec`` asks for, in the one order that works."""
    private_box(spec["box_bytes"])
    limits(spec)
    drop_capabilities()
    end_with_zygote()
    if spec["seccomp"]:
        filter_system_calls(spec["seccomp"])


def _call(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _prctl(*args: Any) -> None:
    _call(_libc.prctl(*(ctypes.c_ulong(a) if isinstance(a, int) else a for a in args)), f"prctl {args[0]}")


def private_box(size: int) -> None:
    """A user and mount namespace of its own with an empty ``/box`` that no other child ever sees."""
    uid, gid = os.getuid(), os.getgid()
    _prctl(PR_SET_DUMPABLE, 1)  # a non-dumpable process may not write its own uid_map
    _call(_libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    _call(_libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_PRIVATE | MS_REC), None), "mount private")
    flags = ctypes.c_ulong(MS_NOSUID | MS_NODEV | MS_NOEXEC)
    options = f"size={size},nr_inodes=2048,mode=0700".encode()
    _call(_libc.mount(b"tmpfs", BOX.encode(), b"tmpfs", flags, options), "mount /box")
    os.chdir(BOX)
    _prctl(PR_SET_DUMPABLE, 0)


def limits(spec: dict[str, Any]) -> None:
    """Hard resource limits; memory counts from what the forked libraries already map."""
    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    for kind, value in (
        (resource.RLIMIT_AS, mapped + spec["memory_bytes"]),
        (resource.RLIMIT_NPROC, spec["threads"]),
        (resource.RLIMIT_FSIZE, spec["box_bytes"]),
        (resource.RLIMIT_CPU, spec["cpu_seconds"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        resource.setrlimit(kind, (value, value))


def drop_capabilities() -> None:
    """Give up every capability that the new user namespace conferred, for good."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    _call(_libc.capset(header, bytes(24)), "capset")


def end_with_zygote() -> None:
    """Die when the zygote dies. The kernel forgets this when capabilities grow, hence after they are dropped."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL.value)


def filter_system_calls(program: bytes) -> None:
    """Install a BPF program compiled by the judge (8 bytes an instruction)."""
    code = ctypes.create_string_buffer(program, len(program))
    descriptor = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, descriptor)
