package dev.sluice.cli;

import java.io.Serial;

/** A command cannot do its work; the message tells its user why and what to do. */
final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }

    CommandFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
