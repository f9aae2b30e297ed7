package dev.sluice.cli.command;

import java.io.Serial;

/** A command failed. The message tells its user why, and what to do. */
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

    /** A failure with its own exit code, for scripts. */
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
