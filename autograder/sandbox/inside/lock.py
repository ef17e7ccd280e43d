"""Confinement of one forked child, applied by the child itself before it receives any student code.

Each step is independent of the others and raises if it fails; a failure is the grader's, never a student's.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import stat
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.sandbox.protocol import Locks

_libc = ctypes.CDLL(None, use_errno=True)

# linux/sched.h, sys/mount.h, linux/prctl.h, linux/seccomp.h
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER = 0x00020000, 0x08000000, 0x10000000
MOUNT_SETATTR, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, 0x8000, 1  # Linux 5.12
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x8, 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 1, 4, 22, 38, 2
CAPABILITY_VERSION_3 = 0x20080522

# linux/landlock.h; the system calls have these numbers on every architecture
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_CREATE_RULESET_VERSION, LANDLOCK_RULE_PATH_BENEATH = 1, 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
RIGHTS_OF_ABI = (0, 1 << 13, 1 << 14, 1 << 15, 1 << 15, 1 << 16, 1 << 16)  # file rights below, from ABI 0 on
BIND_TCP, CONNECT_TCP, ABSTRACT_SOCKETS, SIGNALS = 1, 2, 1, 2

DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


def lock(locks: Locks) -> None:
    """Apply every layer that is named, in the one order that works."""
    layers = locks["layers"]
    if "private box" in layers:
        private_box(locks["box"], locks["box_bytes"])
    os.chdir(locks["box"])
    if "rlimits" in layers:
        limits(locks)
    if "capabilities" in layers:
        drop_capabilities()
    end_with_zygote()
    if "landlock" in layers:
        restrict_files(locks)
    if "seccomp" in layers:
        filter_system_calls(bytes.fromhex(locks["seccomp"]))


def _call(result: int, what: str) -> None:
    if result:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def _prctl(*args: Any) -> None:
    _call(_libc.prctl(*(ctypes.c_ulong(a) if isinstance(a, int) else a for a in args)), f"prctl {args[0]}")


def private_box(box: str, size: int) -> None:
    """Enter new user and mount namespaces: an empty ``box`` that no other child sees, everything else read-only."""
    uid, gid = os.getuid(), os.getgid()
    _prctl(PR_SET_DUMPABLE, 1)  # a non-dumpable process may not write its own uid_map
    _call(_libc.unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC), "unshare")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    _call(_libc.mount(b"none", b"/", None, ctypes.c_ulong(MS_PRIVATE | MS_REC), None), "mount private")
    read_only = struct.pack("4Q", MOUNT_ATTR_RDONLY, 0, 0, 0)
    size_of = ctypes.c_size_t(len(read_only))
    _call(_libc.syscall(MOUNT_SETATTR, -1, b"/", AT_RECURSIVE, read_only, size_of), "mount_setattr")
    flags = ctypes.c_ulong(MS_NOSUID | MS_NODEV | MS_NOEXEC)
    options = f"size={size},nr_inodes=2048,mode=0700".encode()
    _call(_libc.mount(b"tmpfs", box.encode(), b"tmpfs", flags, options), f"mount {box}")


def limits(locks: Locks) -> None:
    """Hard resource limits; memory counts from what the forked libraries already map."""
    with open("/proc/self/statm") as file:
        mapped = int(file.read().split()[0]) * resource.getpagesize()
    for kind, value in (
        (resource.RLIMIT_AS, mapped + locks["memory_bytes"]),
        (resource.RLIMIT_FSIZE, locks["box_bytes"]),
        (resource.RLIMIT_CPU, locks["cpu_seconds"]),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
    ):
        resource.setrlimit(kind, (value, value))
    if locks["threads"]:
        resource.setrlimit(resource.RLIMIT_NPROC, (locks["threads"], locks["threads"]))


def drop_capabilities() -> None:
    """Give up every capability that the new user namespace conferred, and disable ptrace on this process."""
    _prctl(PR_SET_DUMPABLE, 0)
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
    _call(_libc.capset(header, bytes(24)), "capset")


def end_with_zygote() -> None:
    """End when the zygote ends. The kernel forgets this when capabilities change: drop them first."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL.value)


def landlock_abi() -> int:
    """The version of Landlock that the kernel offers; 0 if none."""
    return max(0, int(_libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)))


def restrict_files(locks: Locks) -> None:
    """Landlock: read below ``locks["readable"]``, write in a private box; no TCP, no signals."""
    abi = landlock_abi()
    handled = RIGHTS_OF_ABI[min(abi, 6)] - 1
    network = BIND_TCP | CONNECT_TCP if abi >= 4 else 0
    scopes = ABSTRACT_SOCKETS | SIGNALS if abi >= 6 else 0
    attributes = struct.pack("QQQ", handled, network, scopes)[: 24 if abi >= 6 else 16 if abi >= 4 else 8]
    ruleset = _libc.syscall(LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), f"landlock: {os.strerror(ctypes.get_errno())}")
    read = EXECUTE | READ_FILE | READ_DIR
    rules = [(path, read) for path in locks["readable"]]
    rules += [(path, READ_FILE | WRITE_FILE) for path in DEVICES]
    rules.append((locks["box"], handled & ~(1 << 6 | 1 << 11) if locks["writable"] else read))
    for path, rights in rules:
        try:
            target = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        if not stat.S_ISDIR(os.fstat(target).st_mode):
            rights &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
        rule = struct.pack("=Qi", rights & handled, target)
        _call(_libc.syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0), f"landlock {path}")
        os.close(target)
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call(_libc.syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0), "landlock")
    os.close(ruleset)


def filter_system_calls(program: bytes) -> None:
    """Install a BPF program compiled by the judge (8 bytes an instruction)."""
    code = ctypes.create_string_buffer(program, len(program))
    descriptor = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, descriptor)
