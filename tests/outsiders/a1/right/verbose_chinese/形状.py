"""小工具：一对数、公共数据类型、自己的异常。"""

import numpy as np


class 尺寸错误(ValueError):
    """窗口放不下，或者参数不合法。"""


def 一对(数):
    """一个数代表两个轴。"""
    if isinstance(数, tuple):
        高, 宽 = 数
    else:
        高 = 宽 = 数
    return 高, 宽


def 公共类型(*数组):
    """float32 保持 float32；整数按 float64 计算。"""
    类型 = None
    for 一个 in 数组:
        它的 = 一个.dtype if 一个.dtype.kind == "f" else np.dtype(np.float64)
        类型 = 它的 if 类型 is None else np.promote_types(类型, 它的)
    return 类型
