# SPDX-License-Identifier: BSD-3-Clause
"""Outputs of the tools: never written over their inputs, nor over results unless requested."""
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


class OutputError(Exception):
    """Standard output cannot be written."""


@contextlib.contextmanager
def to_output():
    """A failure of standard output within is not mistaken for one of a file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror) from error


def say(text, stream=None):
    """Prints to standard output or another stream, at once."""
    with to_output():
        print(text, file=stream, flush=True)


def close_output():
    """So that nothing is flushed again at the exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def status_of(main):
    """The status that `main` returns; 4 if standard output cannot be written. A reader that closes the
    pipe early (`| head`) is no error; a tool that is terminated leaves no partial file."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        status = main()
        with to_output():
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        close_output()
        return 0
    except OutputError as error:
        close_output()
        print(f"{pathlib.Path(sys.argv[0]).name}: standard output cannot be written ({error}); redirect it "
              "to another place", file=sys.stderr)
        return 4


def linked_files(path):
    """The files that contain the particles of an H5MD file that is a view of others."""
    try:
        with h5py.File(path, "r") as file:
            group = file.get("particles")
            if not isinstance(group, h5py.Group):  # in a checkpoint this is their number
                return []
            links = [group.get(name, getlink=True) for name in group]
    except (OSError, RuntimeError):
        return []
    return [str(pathlib.Path(path).resolve().parent / link.filename) for link in links
            if isinstance(link, h5py.ExternalLink)]


def is_same(path, other):
    """Are both one file, also through links?"""
    return os.path.exists(path) and os.path.exists(other) and os.path.samefile(path, other)


def is_stream(path):
    """Is it a device, pipe or socket, which cannot be read back?"""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def holds_results(path):
    """Is it HDF5 other than an average over runs, which mdmerge can make again?"""
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
    """Is it an error of the output, not of an input?"""
    return isinstance(error, OSError) and (
        error.filename == path or error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG,
                                                  errno.EPIPE, errno.EROFS))


@contextlib.contextmanager
def whole(path):
    """A temporary name for a file or a folder, which becomes `path` when it is complete and is
    removed otherwise. A device or a pipe is written directly."""
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
    """Replaces a file; in an existing folder, the files of the same names."""
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
                        help=f"write the format of its ending ({', '.join(endings)}); may be repeated")


def share_outputs(options, endings):
    """Gives each file of -o to the option that writes the format of its ending: `endings` names
    these options."""
    for path in options.output:
        if pathlib.Path(path).suffix not in endings:
            raise ResultsError(f"--output {path} (the ending gives the format); end it with "
                               f"{' or '.join(endings)}")
        option = endings[pathlib.Path(path).suffix]
        given = getattr(options, option)
        if given and not isinstance(given, list):
            raise ResultsError(f"--output {path} (the same is written to {given}); give one of them")
        setattr(options, option, [*given, path] if isinstance(given, list) else path)


def refuse_output(path, inputs, option, streams=True, overwrite=False):
    """Throws ResultsError, before anything is written, if `path` is one of `inputs`, holds other
    results (unless `overwrite`), or cannot be written. `streams`: it may be a device or a pipe."""
    if str(path) == "-":
        raise ResultsError(f"- is not a file (standard output cannot be used here); give another {option}")
    for name in inputs:
        for read in (name, *linked_files(name)):
            if is_same(path, read):
                also = "" if os.path.normpath(read) == os.path.normpath(path) else f", as {read}"
                raise ResultsError(f"{path} is read{also} (writing it would destroy what is read); "
                                   f"give another {option}")
    if is_stream(path):
        if not streams:
            raise ResultsError(f"{path} is not a file on disk (this format is not written from "
                               f"start to end); give another {option}")
        return
    if os.path.isdir(path):
        raise ResultsError(f"{path} is a folder (a file is written); give another {option}")
    if not os.path.exists(path):
        refuse_folder(path, option)
    elif not overwrite and holds_results(path):
        raise ResultsError(f"{path} holds results (they are not overwritten by default); remove it, or "
                           f"give another {option}")
    elif not os.access(path, os.W_OK):
        raise ResultsError(f"{path} cannot be written (it is read-only for you); give another "
                           f"{option}")
