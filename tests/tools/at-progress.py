#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Send a signal to e2fsck in the middle of its work.

  at-progress.py reported SIGNALS COMMAND...   in pass 1, reports on descriptor 3
  at-progress.py silent SIGNALS COMMAND...     before it has reported anything

SIGNALS: names like INT, joined by commas.  With "reported", descriptor 3 is a
small pipe: the program waits at a report of pass 1 until the signals are sent.
Its reports go to standard error, its output to standard output, and it exits
with the command's status.
"""
import fcntl
import glob
import os
import signal
import subprocess
import sys
import termios
import time

PIPE = 3
PIPE_BYTES = 4096
LINE_BYTES = 300  # at most
F_SETPIPE_SZ = 1031


def handles(pid, sig):
    """Has it come so far that the signal does not end it?"""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("SigCgt:"):
            return int(line.split()[1], 16) >> (sig - 1) & 1
    return False


def waiting_bytes(fd):
    n = fcntl.ioctl(fd, termios.FIONREAD, bytes(4))
    return int.from_bytes(n, sys.byteorder)


def sleeps(pid):
    """Do all threads wait for something?  One that could run does not."""
    for stat in glob.glob(f"/proc/{pid}/task/*/stat"):
        try:
            state = open(stat).read().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state != "S":
            return False
    return True


def is_stuck(pid, fd):
    """Does it wait until somebody reads its reports?"""
    n = waiting_bytes(fd)
    return n > PIPE_BYTES - LINE_BYTES and sleeps(pid) and \
        n == waiting_bytes(fd) and sleeps(pid)


def main():
    when, names, *command = sys.argv[1:]
    signals = [getattr(signal, "SIG" + n) for n in names.split(",")]
    r, w = os.pipe()
    os.dup2(r, 9)
    os.dup2(w, PIPE)
    for fd in (r, w):
        if fd not in (9, PIPE):
            os.close(fd)
    r = 9
    fcntl.fcntl(PIPE, F_SETPIPE_SZ, PIPE_BYTES)
    p = subprocess.Popen(command, pass_fds=[PIPE])
    os.close(PIPE)
    said = b""
    while p.poll() is None and not (
            is_stuck(p.pid, r) if when == "reported" else handles(p.pid, signals[0])):
        time.sleep(0.0005)
    for s in signals:
        p.send_signal(s)
        time.sleep(0.1 if when == "reported" else 0)
    while data := os.read(r, 65536):
        said += data
    sys.stderr.buffer.write(said)
    sys.exit(p.wait())


main()
