"""Which system calls a child may make: an allow-list, compiled once by libseccomp in the judge.

It holds what CPython, NumPy, OpenBLAS and torch use to compute, allocate, start threads and work with files in a
private folder. Everything else (processes, sockets, tracing, mounts, signals to others) answers EPERM. So does what one
child could leave a word with for another on a file that both may only read: locks, and control over which of its pages
are in memory (posix_fadvise, mincore, readahead, most of madvise).
"""

from __future__ import annotations

import functools
import os
import tempfile

ALLOWED = """
    read write readv writev pread64 pwrite64 close fstat newfstatat stat lstat statx lseek
    mmap munmap mprotect mremap brk mlock munlock mbind get_mempolicy membarrier
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending sigaltstack
    openat open access faccessat faccessat2 getdents64 getcwd chdir readlink readlinkat
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 symlink symlinkat
    ftruncate fsync fdatasync fallocate copy_file_range sendfile
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
    epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 futex
    sched_yield sched_getaffinity getrandom clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times
    getrusage sysinfo uname getpid gettid getppid getuid geteuid getgid getegid getpgrp getpgid getsid getpriority
    getcpu getrlimit set_robust_list rseq set_tid_address exit exit_group restart_syscall arch_prctl
    alarm setitimer getitimer pause umask statfs fstatfs close_range
"""

WRITING = """
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 symlink symlinkat
    ftruncate fallocate copy_file_range
"""

# Not among them: F_SETOWN, F_SETSIG, O_ASYNC and FIOSETOWN, by which the kernel sends signals to any of our processes.
F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC = *range(5), 1030
TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX = 0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451
FCNTL = (F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC)
# What allocators ask for; none of it changes what other processes see of a file.
MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP = 4, 8, 14, 15, 16, 17
MADVISE = (MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP)
IOCTL = (TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX)
O_ASYNC, CLONE_THREAD = 0x2000, 0x10000
PR_SET_NAME, PR_SET_VMA = 15, 0x53564D41
EPERM, ENOSYS = 1, 38


@functools.cache
def compiled(read_only: bool = False) -> bytes:
    """The BPF program, or nothing where libseccomp is not installed (``run.json`` says so).

    With ``read_only`` it lets a child open no file for writing, and make, change or remove none.
    """
    try:
        import pyseccomp as seccomp
    except (ImportError, OSError, RuntimeError):  # the package without its C library raises one of these
        return b""
    policy = seccomp.SyscallFilter(defaction=seccomp.ERRNO(EPERM))
    names = set(ALLOWED.split())
    if read_only:
        names -= {*WRITING.split(), "open", "openat"}
        for call, argument in (("open", 1), ("openat", 2)):
            reading = seccomp.Arg(argument, seccomp.MASKED_EQ, os.O_ACCMODE | os.O_CREAT | os.O_TRUNC, os.O_RDONLY)
            policy.add_rule(seccomp.ALLOW, call, reading)
    for name in sorted(names):
        try:
            policy.add_rule(seccomp.ALLOW, name)
        except (OSError, ValueError):  # a call that this architecture does not have
            continue
    policy.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
    policy.add_rule(seccomp.ERRNO(ENOSYS), "clone3")  # its flags cannot be inspected; glibc falls back to clone
    policy.add_rule(seccomp.ALLOW, "prlimit64", seccomp.Arg(0, seccomp.EQ, 0))
    selected = {"prctl": (0, (PR_SET_NAME, PR_SET_VMA)), "fcntl": (1, FCNTL), "ioctl": (1, IOCTL)}
    selected["madvise"] = 2, MADVISE
    for call, (argument, values) in selected.items():
        for value in values:
            policy.add_rule(seccomp.ALLOW, call, seccomp.Arg(argument, seccomp.EQ, value))
    synchronous = seccomp.Arg(2, seccomp.MASKED_EQ, O_ASYNC, 0)
    policy.add_rule(seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.EQ, F_SETFL), synchronous)
    with tempfile.TemporaryFile() as file:
        policy.export_bpf(file)
        file.seek(0)
        return file.read()
