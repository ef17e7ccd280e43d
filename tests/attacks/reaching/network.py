# attack: talks to others, by address, by name and by abstract sockets
# keeps: convolve output_size
# control: does

import socket


def attempt(what, act):
    try:
        act()
        print("DAMAGE:", what)
    except OSError:
        pass


attempt("a datagram", lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 9)))
attempt("a listener", lambda: socket.create_server(("127.0.0.1", 0)))
attempt("an IPv6 socket", lambda: socket.socket(socket.AF_INET6))
attempt("an abstract socket", lambda: socket.socket(socket.AF_UNIX).bind("\0attack-left"))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt("a socket pair", socket.socketpair)
attempt("the kernel's ciphers", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))
attempt("name look-up over the network", lambda: socket.socket(type=socket.SOCK_DGRAM).connect(("127.0.0.53", 53)))
