"""Anybody else, by any kind of socket."""

from __future__ import annotations

import ctypes
import socket

from tests.attacks.attempts.registry import NO_CONTROL, ROOT_ONLY, attempt, call
from tests.attacks.target import World


@attempt("network")
def connect_by_tcp(world: World) -> object:
    with socket.create_connection(world.tcp, timeout=5) as connection:
        return connection.send(b"x")


@attempt("network")
def listen_by_tcp(world: World) -> object:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()


@attempt("network")
def send_by_udp(world: World) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        return sender.sendto(b"x", world.udp)


@attempt("network")
def connect_by_ipv6(world: World) -> object:
    with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as connection:
        return connection.fileno()


@attempt("network", controls=NO_CONTROL)  # depends on the kernel
def connect_by_mptcp(world: World) -> object:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262) as connection:
        return connection.connect(world.tcp)


@attempt("network", controls=NO_CONTROL)  # depends on the machine's network
def resolve_a_name(world: World) -> object:
    return socket.getaddrinfo("example.org", 80)


@attempt("network")
def connect_by_unix_path(world: World) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect(world.unix)


@attempt("network")
def connect_by_abstract_name(world: World) -> object:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect(world.abstract)


@attempt("network")
def make_a_pair_of_sockets(world: World) -> object:
    return [one.close() for one in socket.socketpair()]


@attempt("network")
def talk_to_the_kernel_by_netlink(world: World) -> object:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as link:
        return link.fileno()


@attempt("network", controls=NO_CONTROL)  # depends on the kernel
def talk_to_the_hypervisor(world: World) -> object:
    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as connection:
        return connection.fileno()


@attempt("network", controls=ROOT_ONLY)
def listen_to_all_packets(world: World) -> object:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as tap:
        return tap.fileno()


@attempt("network", controls=NO_CONTROL)  # depends on the kernel
def encrypt_in_the_kernel(world: World) -> object:
    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET) as connection:
        return connection.fileno()


@attempt("network", controls=NO_CONTROL)  # often switched off
def do_everything_by_io_uring(world: World) -> object:
    return call("io_uring_setup", 4, ctypes.create_string_buffer(120))
