"""A minimal PostgreSQL server with which a client can start TLS, and that client."""

import contextlib
import multiprocessing
import os
import socket
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

PORT = 54399


def serve(listener: socket.socket, certificate: str, key: str) -> None:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    while True:
        client = listener.accept()[0]
        with contextlib.suppress(OSError):
            client.recv(struct.calcsize("!ii"))  # SSLRequest
            client.sendall(b"S")
            with context.wrap_socket(client, server_side=True) as secured:
                secured.recv(4096)
                words = b"SFATAL\0C28000\0Mthe handshake is done\0\0"
                secured.sendall(b"E" + struct.pack("!i", len(words) + 4) + words)
        client.close()


@contextlib.contextmanager
def server(cache: Path) -> Iterator[None]:
    certificate, key = str(cache / "tls.pem"), str(cache / "tls.key")
    if not os.path.exists(certificate):
        words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "36500", "-subj", "/CN=localhost"]
        subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    with socket.create_server(("127.0.0.1", PORT)) as listener:
        process = multiprocessing.Process(target=serve, args=(listener, certificate, key), daemon=True)
        process.start()
        try:
            yield
        finally:
            process.terminate()
            process.join()


def connect() -> None:
    import psycopg2

    psycopg2.connect(host="127.0.0.1", port=PORT, user="u", dbname="d", sslmode="require", connect_timeout=10)
