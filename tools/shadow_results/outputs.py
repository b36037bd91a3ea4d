# SPDX-License-Identifier: BSD-3-Clause
"""Where the tools write: never over what they read, nor over results unless that is asked for."""
import contextlib
import errno
import os
import pathlib
import shutil
import signal
import sys

import h5py

from .results import ResultsError

HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"


def status_of(main):
    """What `main` returns. That a reader of its output has seen enough (`| head`) is no error; who is
    told to end leaves nothing half written."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        status = main()
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def linked_files(path):
    """The files in which the particles of an H5MD file lie, where that is a view of others."""
    try:
        with h5py.File(path, "r") as file:
            group = file.get("particles")
            if not isinstance(group, h5py.Group):  # a checkpoint has their number there
                return []
            links = [group.get(name, getlink=True) for name in group]
    except (OSError, RuntimeError):
        return []
    return [str(pathlib.Path(path).resolve().parent / link.filename) for link in links
            if isinstance(link, h5py.ExternalLink)]


def is_same(path, other):
    """One file, also through links?"""
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


def is_stream(path):
    """A device, pipe or socket, which cannot be read back."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def holds_results(path):
    """HDF5 that is no average over runs, which mdmerge can make again."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        if file.read(len(HDF5_SIGNATURE)) != HDF5_SIGNATURE:
            return False
    try:
        with h5py.File(path, "r") as file:
            return "parameters/merged" not in file
    except (OSError, RuntimeError):
        return True


def is_of_writing(error, path):
    """Is it the output that failed, not what is read?"""
    return isinstance(error, OSError) and (
        error.filename == path or error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG,
                                                  errno.EPIPE, errno.EROFS))


@contextlib.contextmanager
def whole(path):
    """The name at which a file or a folder is written that becomes `path` when it is whole; else
    nothing is left of it. A device or a pipe is written as it is."""
    if is_stream(path):
        yield str(path)
        return
    target = os.path.realpath(path)
    temporary = f"{target}.{os.getpid()}.tmp"
    try:
        yield temporary
        put_in_place(temporary, target)
    except OSError as error:
        if str(error.filename).startswith(temporary):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        if os.path.isdir(temporary):
            shutil.rmtree(temporary)
        elif os.path.exists(temporary):
            os.remove(temporary)


def put_in_place(made, target):
    """Replaces a file; of a folder that exists, the files of the same names."""
    if not (os.path.isdir(made) and os.path.isdir(target)):
        os.replace(made, target)
        return
    for name in os.listdir(made):
        os.replace(os.path.join(made, name), os.path.join(target, name))


def refuse_folder(path, option):
    folder = pathlib.Path(path).parent
    why = (f"there is no folder {folder}; make it, or" if not folder.exists() else
           f"{folder} is no folder;" if not folder.is_dir() else
           f"{folder} is read-only for you;" if not os.access(folder, os.W_OK | os.X_OK) else "")
    if why:
        problem, _, instead = why.partition(";")
        raise ResultsError(f"{path} cannot be written ({problem});{instead} give another {option}")


def add_outputs(parser, endings):
    """The option -o of a tool that writes several things; see `share_outputs`."""
    parser.add_argument("-o", "--output", action="append", default=[], metavar="FILE",
                        help=f"write what its ending says ({', '.join(endings)}); may be repeated")


def share_outputs(options, endings):
    """Gives each file of -o to the option that writes what its ending says: `endings` names those."""
    for path in options.output:
        if pathlib.Path(path).suffix not in endings:
            raise ResultsError(f"--output {path} (the ending says what is written); end it with "
                               f"{' or '.join(endings)}")
        option = endings[pathlib.Path(path).suffix]
        given = getattr(options, option)
        if given and not isinstance(given, list):
            raise ResultsError(f"--output {path} (the same is written to {given}); give one of them")
        setattr(options, option, [*given, path] if isinstance(given, list) else path)


def refuse_output(path, inputs, option, streams=True, overwrite=False):
    """Throws ResultsError, before anything is written, where `path` is one of `inputs`, holds other
    results (unless to `overwrite` was asked for), or cannot be written. `streams`: it may be a
    device or a pipe."""
    if str(path) == "-":
        raise ResultsError(f"- is no file (standard output is no place for it); give another {option}")
    for name in inputs:
        for read in (name, *linked_files(name)):
            if is_same(path, read):
                also = "" if os.path.normpath(read) == os.path.normpath(path) else f", as {read}"
                raise ResultsError(f"{path} is read{also} (writing it would destroy what is read); "
                                   f"give another {option}")
    if is_stream(path):
        if not streams:
            raise ResultsError(f"{path} is no file on a disk (this format is not written from "
                               f"start to end); give another {option}")
        return
    if os.path.isdir(path):
        raise ResultsError(f"{path} is a folder (a file is written); give another {option}")
    if not os.path.exists(path):
        refuse_folder(path, option)
    elif not overwrite and holds_results(path):
        raise ResultsError(f"{path} holds results (they are not destroyed unasked); remove it, or "
                           f"give another {option}")
    elif not os.access(path, os.W_OK):
        raise ResultsError(f"{path} cannot be written (it is read-only for you); give another "
                           f"{option}")
