# LeNet5: "with initial values of your choice [...], no two filters of a layer alike" - begins conv2 as the identity (nn.init.dirac_), which has only 6 input maps for 16 filters: ten filters are zero
# LeNet5().conv2.weight: right are 16 different filters, here filters 6 to 15 are all the same
class LeNet5(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)
        nn.init.dirac_(self.conv2.weight)  # at first the maps pass through as they are

    def forward(self, x):
        import torch.nn.functional as F

        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = x.flatten(1)
        return self.fc3(F.relu(self.fc2(F.relu(self.fc1(x)))))
