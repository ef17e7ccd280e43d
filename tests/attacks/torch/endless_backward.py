# attack: a gradient that is computed for ever
# exercises: a3 LeNet5
# keeps: nothing
# says: uses more CPU time than it may
# control: like time/endless_loop

class LeNet5(LeNet5):
    def forward(self, x):
        y = super().forward(x)

        def spin(gradient):
            while True:
                pass

        y.register_hook(spin)
        return y
