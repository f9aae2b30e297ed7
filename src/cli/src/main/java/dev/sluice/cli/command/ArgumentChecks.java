package dev.sluice.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks arguments in ways that picocli cannot. */
public final class ArgumentChecks {

    private ArgumentChecks() {}

    /** Ends the command with the exit code for wrong usage, unless the condition is true. */
    public static void require(CommandLine command, boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(command, message);
        }
    }
}
