package dev.sluice.cli.command;

import java.io.Serial;

/** A command cannot do its work; the message tells its user why and what to do. */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    public CommandFailure(String message) {
        super(message);
    }

    public CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
