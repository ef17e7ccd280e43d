"""Assignment 1 in PyTorch: gather with index tensors."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from geometry import pair


def conv2d_unfold(x, weight, bias=None, stride=1, padding=0, dilation=1):
	filters = weight.shape[0]
	height, width = (
		len(range(0, n + 2 * p - d * (k - 1), s))
		for n, p, d, k, s in zip(x.shape[2:], pair(padding), pair(dilation), weight.shape[2:], pair(stride))
	)
	cols = F.unfold(x, tuple(weight.shape[2:]), dilation=dilation, padding=padding, stride=stride)
	y = torch.bmm(weight.reshape(1, filters, -1).expand(len(x), -1, -1), cols)
	y = F.fold(y, (height, width), 1)
	return y if bias is None else y + bias.view(-1, 1, 1)


class Conv2d(nn.Module):
	def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, bias=True):
		super().__init__()
		self.kernel_size = pair(kernel_size)
		self.stride = pair(stride)
		self.padding = pair(padding)
		self.weight = nn.Parameter(torch.empty(out_channels, in_channels, *self.kernel_size).uniform_(-0.2, 0.2))
		self.bias = nn.Parameter(torch.empty(out_channels).uniform_(-0.2, 0.2)) if bias else None

	def forward(self, x):
		index = []
		for size, k, s, p in zip(x.shape[2:], self.kernel_size, self.stride, self.padding):
			starts = torch.arange(0, size + 2 * p - k + 1, s, device=x.device)
			index.append(starts[None, :] + torch.arange(k, device=x.device)[:, None])
		rows, columns = index[0][:, None, :, None], index[1][None, :, None, :]
		ph, pw = self.padding
		windows = F.pad(x, (pw, pw, ph, ph))[:, :, rows, columns]
		n, c, kh, kw, ho, wo = windows.shape
		y = self.weight.flatten(1) @ windows.reshape(n, c * kh * kw, ho * wo)
		y = y.reshape(n, -1, ho, wo)
		return y if self.bias is None else y + self.bias[:, None, None]


def nchw_to_nhwc(x):
	return torch.movedim(x, 1, 3)


def nhwc_to_nchw(x):
	return torch.movedim(x, 3, 1)
