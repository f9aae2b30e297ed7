package dev.sluice.cli.command;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks of arguments that picocli cannot make. */
public final class ArgumentChecks {

    private ArgumentChecks() {}

    /** Ends the command as one that was wrongly used, unless this holds. */
    public static void require(CommandLine command, boolean holds, String complaint) {
        if (!holds) {
            throw new ParameterException(command, complaint);
        }
    }
}
