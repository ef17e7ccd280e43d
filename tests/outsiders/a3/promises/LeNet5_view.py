# LeNet5: header "Tensors that are passed in may be transposed or sliced (``reshape`` takes them, ``view`` may not), and must not be changed." - view after the pooling fails where the images lie channels last in memory
# Differs (raises): x = torch.randn(2, 3, 32, 32).to(memory_format=torch.channels_last)[:, :1]
import torch
from torch import nn


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(1, 6, 5), nn.Conv2d(6, 16, 5)
        self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

    def forward(self, x):
        x = nn.functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = x.view(x.shape[0], 400)
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x)))))
