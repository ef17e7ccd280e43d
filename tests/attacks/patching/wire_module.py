# attack: makes the module of the connection say something else
# keeps: nothing
# says: disturbs the connection
# control: split earns

import wire

wire.encode = lambda value: b"passed"
