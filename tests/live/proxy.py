"""A network between a program and a server that can be cut, by a small TCP proxy."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Proxy:
    """Hands on what comes, until it is cut."""

    def __init__(self, url: str) -> None:
        self._there = url
        address = urlsplit(url)
        self._server = (address.hostname or "127.0.0.1", address.port or 0)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._guard = threading.Lock()
        self.is_cut = self.is_deaf = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        """The server's address, by way of here."""
        port = self._listening.getsockname()[1]
        return self._there.replace(f":{self._server[1]}", f":{port}")

    def cut(self) -> None:
        """Close everything, and let nobody in."""
        self.is_cut = True
        with self._guard:
            for entry in list(self._open):
                _close(entry)
            self._open.clear()

    def lose_answers(self) -> None:
        """Hand on what is asked, and cut the network in place of the next answer."""
        self.is_deaf = True

    def heal(self) -> None:
        """Be as before."""
        self.is_cut = self.is_deaf = False

    def end(self) -> None:
        """Stop."""
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                asking, _ = self._listening.accept()
                if self.is_cut:
                    _close(asking)
                    continue
                answering = socket.create_connection(self._server)
                with self._guard:
                    self._open |= {asking, answering}
                threading.Thread(target=self._hand_on, args=(asking, answering, False), daemon=True).start()
                threading.Thread(target=self._hand_on, args=(answering, asking, True), daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while (data := source.recv(65536)) and not self.is_cut:
                if is_answer and self.is_deaf:
                    self.cut()
                    break
                target.sendall(data)
        _close(source)
        _close(target)


def _close(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
