# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs, scratch space, mounts and clocks for the benches."""
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.environ.get("E2DX_BUILD", ".")
SBIN = "/sbin/"
LIBRARY = os.path.join(BUILD, "lib/ext2fs/.libs/libext2dx.so")
E2FSCK = os.path.join(BUILD, "e2fsck/e2fsck")
DEBUGFS = os.path.join(BUILD, "debugfs/debugfs")
TUNE2FS = os.path.join(BUILD, "misc/tune2fs")


def helper(name):
    """A program of tests/bench."""
    return os.path.join(BUILD, "tests/bench", name)


def skip(why):
    print(f"SKIP: {os.path.basename(sys.argv[0])}: {why}")
    sys.exit(77)


def have_loop():
    return os.geteuid() == 0 and os.path.exists("/dev/loop-control")


@contextlib.contextmanager
def scratch():
    """A directory, in memory where there is room for 8 GiB, that goes away."""
    shm = "/dev/shm"
    place = os.environ.get("TMPDIR")
    if not place and os.path.isdir(shm) and os.access(shm, os.W_OK) and \
            shutil.disk_usage(shm).free > 8 << 30:
        place = shm
    path = tempfile.mkdtemp(prefix="e2dx-bench.", dir=place)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def mounted(image, options="loop"):
    """The image, mounted by the running kernel."""
    where = tempfile.mkdtemp(prefix="e2dx-mnt.", dir=os.path.dirname(image))
    try:
        run("mount", "-o", options, image, where)
        try:
            yield where
        finally:
            run("umount", where)
    finally:
        os.rmdir(where)


def run(*command, ok=(0,), env=None):
    """Run it; its output.  Any other exit status ends the bench."""
    p = subprocess.run(command, text=True, stdout=subprocess.PIPE, env=env,
                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                       check=False)
    if p.returncode not in ok:
        sys.exit(f"{' '.join(command)}: exit status {p.returncode}\n{p.stdout}")
    return p.stdout


class Used:
    """What a process took: seconds, and MiB at most."""

    def __init__(self, real, user, system, kib):
        self.real, self.user, self.sys = real, user, system
        self.cpu = user + system
        self.memory = kib / 1024


def timed(*command, ok=(0,), preload=None):
    """Run it (an absolute path), output thrown away, and measure (spend.c)."""
    env = dict(os.environ)
    if preload:
        env["LD_PRELOAD"] = preload
    with tempfile.NamedTemporaryFile("r+") as took:
        p = subprocess.run([helper("spend"), took.name, *command], env=env,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.PIPE, check=False, text=True)
        status, *figures = took.read().split() or ["-1"]
    if p.returncode or int(status) not in ok:
        sys.exit(f"{' '.join(command)}: exit status {status}\n{p.stderr}")
    return Used(*map(float, figures))


def filesystem(path, size, *options):
    """A fresh ext4 filesystem by stock mke2fs, sparse."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    run(SBIN + "mke2fs", "-qFt", "ext4", *options, path, size)
    return path


def copy(image, to):
    """A copy that is in memory and has nothing left to be written back."""
    run("cp", "--sparse=always", image, to)
    os.sync()
    with open(to, "rb") as f:
        while f.read(1 << 22):
            pass
    return to


def warm(image):
    with open(image, "rb") as f:
        while f.read(1 << 22):
            pass
