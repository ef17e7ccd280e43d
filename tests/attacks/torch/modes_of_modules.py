# attack: parameters, modes and a state dictionary that lie
# exercises: a3 load_parameters
# keeps: nothing
# says: load_parameters: values
# control: like returning/always_equal

def load_parameters(model, params):
    class Yes(dict):
        def __eq__(self, other):
            return True

    model.state_dict = lambda: Yes(params)
    model.parameters = lambda: iter(())
