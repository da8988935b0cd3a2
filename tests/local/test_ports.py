"""Ports for new servers."""

import socket

from keywright.local.ports import END, FIRST, free_ports, is_open


def test_ports_in_a_row_do_not_overlap() -> None:
    spans = (3, 1, 3, 1)
    ports = [first + step for first, span in zip(free_ports(spans), spans, strict=True) for step in range(span)]
    assert len(set(ports)) == 8
    assert all(FIRST <= port < END for port in ports)


def test_a_listening_port_is_open_and_a_closed_one_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert is_open(port)
    assert not is_open(port)
