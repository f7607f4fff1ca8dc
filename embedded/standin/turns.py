"""Runs one command at a time.

Python executes one thread at a time anyway. If several commands run at once, they change threads
at each of their hundreds of calls of WiredTiger, which takes a fifth of the processor's time. A
command's turn ends before it waits: for the disk at a commit, or for another transaction.
"""

import threading
import time

from secantus import server, storage
from wiredtiger import swig_wiredtiger as wiredtiger

COMMANDS = {
    "abortTransaction",
    "aggregate",
    "commitTransaction",
    "count",
    "delete",
    "find",
    "findAndModify",
    "insert",
    "update",
}

turn = threading.Lock()
thread = threading.local()
run = server.dispatch
commit = wiredtiger.Session.commit_transaction


def dispatch(command, context):
    if next(iter(command), None) not in COMMANDS:
        return run(command, context)
    turn.acquire()
    thread.has_turn = True
    try:
        return run(command, context)
    finally:
        end_turn()


def end_turn():
    """Lets the next command run. It protects nothing, so the rest of this one may run beside it."""
    if getattr(thread, "has_turn", False):
        thread.has_turn = False
        turn.release()


def commit_transaction(self, *args):
    end_turn()
    return commit(self, *args)


class Time:
    """The module `time`, in which a pause ends the turn."""

    def __getattr__(self, name):
        return getattr(time, name)

    def sleep(self, seconds):
        end_turn()
        time.sleep(seconds)


def install():
    server.dispatch = dispatch
    wiredtiger.Session.commit_transaction = commit_transaction
    storage._time = Time()
