# attack: an audit hook, which sees what is opened and imported from then on
# keeps: convolve output_size
# control: does

import sys


def hook(event, arguments):
    if event in ("open", "import", "exec") and any(word in str(arguments) for word in ("expected", "solutions", "cases")):
        print("DAMAGE: saw", event)


sys.addaudithook(hook)
