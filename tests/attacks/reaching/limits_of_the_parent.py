# attack: changes how the process that started it runs: limits, priority, processors, the order in which it is killed
# keeps: convolve output_size
# control: does

import os
import resource

parent = os.getppid()


def attempt(what, act):
    try:
        act()
        print("DAMAGE:", what)
    except OSError:
        pass


attempt("limits", lambda: resource.prlimit(parent, resource.RLIMIT_NOFILE, resource.prlimit(parent, resource.RLIMIT_NOFILE)))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, parent, 19))
attempt("processors", lambda: os.sched_setaffinity(parent, {0}))
attempt("scheduler", lambda: os.sched_setscheduler(parent, os.SCHED_IDLE, os.sched_param(0)))
attempt("oom score", lambda: open(f"/proc/{parent}/oom_score_adj", "w").write("500"))
