"""Start the studio: a local server for correcting wrappers in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amber_wrap import errors


def studio(
    folder: Annotated[
        str,
        typer.Argument(help="Folder of saved pages; its wrappers/ holds the wrappers."),
    ] = ".",
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, help="Port of the server (0: any free port)."
        ),
    ] = 0,
) -> None:
    """View saved pages and their wrappers in a browser, and correct wrappers there."""
    try:
        import uvicorn

        from amber_wrap.studio.http_server import application
    except ImportError as error:
        raise errors.FileError(
            f"the studio needs {error.name}: run pip install 'amber-wrap[studio]'"
        ) from error
    import socket

    from amber_wrap.studio.api_calls import Studio
    from amber_wrap.studio.http_server import ADDRESS, new_token
    from amber_wrap.studio.page_folder import Folder

    studio_of_folder = Studio(Folder.at(Path(folder)))
    server_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server_socket.bind((ADDRESS, port))
        # From now on, a request that comes too early waits instead of being refused.
        server_socket.listen()
    except OSError as error:
        raise errors.FileError(
            f"cannot listen on port {port}: {error.strerror}"
        ) from error
    port, token = server_socket.getsockname()[1], new_token()
    typer.echo(f"http://{ADDRESS}:{port}/#{token}")
    typer.echo(
        "open this address in a browser; press Ctrl-C to stop the studio", err=True
    )
    config = uvicorn.Config(
        application(studio_of_folder, port, token),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run([server_socket])
