#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Run a program at a terminal and answer its questions.

  at-terminal.py ANSWERS COMMAND...

Each letter of ANSWERS answers one "? "; I sends SIGINT instead.  Exits with
the command's status; what it printed goes to standard output.
"""
import os, pty, select, signal, sys, time

answers = list(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen, end = b"", time.time() + 20
while time.time() < end:
    if not select.select([fd], [], [], 1)[0]:
        continue
    try:
        data = os.read(fd, 4096)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
    seen += data
    if seen.endswith(b">? ") and answers:
        a = answers.pop(0)
        seen = b""
        if a == "I":
            os.kill(pid, signal.SIGINT)
        else:
            os.write(fd, a.encode() + b"\n")
else:
    os.kill(pid, signal.SIGKILL)
sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
