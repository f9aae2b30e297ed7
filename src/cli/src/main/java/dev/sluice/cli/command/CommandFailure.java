package dev.sluice.cli.command;

import java.io.Serial;

/** Thrown if a command fails. The message explains the cause, and what the user can do about it. */
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

    /** Creates a failure with an exit code that scripts can check. */
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
