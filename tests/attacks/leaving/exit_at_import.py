# attack: ends the process before anything is asked
# keeps: nothing
# says: could not be imported: it ends the Python process
# control: dies

import os

os._exit(0)
