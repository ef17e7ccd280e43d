# attack: compiles an extension in C++
# keeps: nhwc_to_nchw
# says: nchw_to_nhwc: values
# control: like resources/posix_spawn

def nchw_to_nhwc(x):
    from torch.utils import cpp_extension

    return cpp_extension.load_inline("attack", "int f() { return 1; }", functions=["f"]).f()
