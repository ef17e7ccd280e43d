# attack: raises its own limits
# keeps: convolve output_size
# control: does

import resource

kinds = ("AS", "CPU", "FSIZE", "NOFILE", "NPROC", "CORE", "MEMLOCK", "STACK")
for kind in kinds[:7]:
    number = getattr(resource, f"RLIMIT_{kind}")
    soft, hard = resource.getrlimit(number)
    if soft != hard or hard == resource.RLIM_INFINITY:
        if kind != "NPROC":  # not set where the user's own processes would count
            print("DAMAGE: could be raised:", kind)
    try:
        resource.setrlimit(number, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        if hard != resource.RLIM_INFINITY:
            print("DAMAGE: raised", kind)
    except (OSError, ValueError):
        pass
