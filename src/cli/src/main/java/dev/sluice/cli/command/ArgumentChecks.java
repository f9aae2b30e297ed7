package dev.sluice.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Argument checks that picocli does not offer. */
public final class ArgumentChecks {

    private ArgumentChecks() {}

    /** Ends the command with the exit code for wrong usage if the condition is false. */
    public static void require(CommandLine command, boolean condition, String message) {
        if (!condition) {
            throw new ParameterException(command, message);
        }
    }
}
