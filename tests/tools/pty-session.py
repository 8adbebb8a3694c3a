#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Type at a program on a terminal, and show what the terminal shows.

  pty-session.py PROMPT PROGRAM ARG... < KEYS

Each line of KEYS is typed, with the return key after it, when the program has
shown PROMPT; \\t, \\x.. and the like in it are the keys that Python's escapes
name.  The program's exit status becomes this script's.
"""
import codecs
import os
import pty
import select
import sys

LIMIT = 120     # seconds to wait for what will never come


def until_prompt(fd, prompt):
    """What is shown until it ends with the prompt; None: no more comes."""
    shown = b""
    while not shown.endswith(prompt):
        if not select.select([fd], [], [], LIMIT)[0]:
            raise SystemExit(f"no prompt after {shown!r}")
        try:
            part = os.read(fd, 65536)
        except OSError:             # the other side is gone
            part = b""
        if not part:
            return shown, False
        shown += part
    return shown, True


def until_end(fd):
    """What is still shown before the program ends, which it is to do itself:
    closing the terminal first would kill it."""
    shown = b""
    while select.select([fd], [], [], LIMIT)[0]:
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    return shown


def main():
    prompt = sys.argv[1].encode()
    keys = sys.stdin.read().splitlines()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execv(sys.argv[2], sys.argv[2:])
    out, alive = until_prompt(fd, prompt)
    for line in keys:
        if not alive:
            break
        os.write(fd, codecs.escape_decode(line.encode())[0] + b"\r")
        # The line is shown first, often more than once: its end is a new line.
        shown = b""
        while alive and b"\n" not in shown:
            part, alive = until_prompt(fd, prompt)
            shown += part
        out += shown
    if alive:
        out += until_end(fd)
    sys.stdout.buffer.write(out)
    os.close(fd)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


main()
