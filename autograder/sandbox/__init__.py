"""Runs student code isolated from references, expected values and hidden inputs that it is not asked about.

``protocol`` says what a sandbox and a child are and what they say to each other, in the format of ``wire``. ``host``
starts children by forking (Linux), ``spawned`` by starting interpreters (elsewhere); ``isolation`` chooses. The modules
in ``inside`` run in the child's process, with ``wire``. ``mounts`` and ``container_root`` decide which files a child
sees, ``policy`` which system calls it may make.
"""
