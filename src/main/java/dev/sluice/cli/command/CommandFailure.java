package dev.sluice.cli.command;

import java.io.Serial;

/** Why a command failed, in a sentence for its user that says what to do. */
public final class CommandFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandFailure(String message) {
        this(ExitCodes.FAILED, message);
    }

    public CommandFailure(String message, Throwable cause) {
        this(ExitCodes.FAILED, message, cause);
    }

    /** A failure with an exit code of its own, for scripts. */
    public CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public CommandFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
