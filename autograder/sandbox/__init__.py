"""Running student code where it can reach nothing it could be graded by.

``host`` is the trusted end; ``inside`` holds the untrusted end, which is bound into the sandbox as plain files;
``wire`` is the only format between them; ``view`` decides what the sandbox can see; ``policy`` which system calls it
may make.
"""
