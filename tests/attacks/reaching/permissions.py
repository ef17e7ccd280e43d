# attack: permissions and times of files outside, which Landlock does not guard: a library that nobody can read any more
# keeps: convolve output_size
# control: does

import os

for path in (np.__file__, os.path.dirname(np.__file__), os.path.realpath(np.__file__), os.path.dirname(os.getcwd())):
    status = os.stat(path)
    try:
        os.chmod(path, status.st_mode & 0o7777)  # as it is, lest a failure do harm
        print("DAMAGE: could change the permissions of", path)
    except OSError:
        pass
    try:
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        print("DAMAGE: could change the times of", path)
    except OSError:
        pass
