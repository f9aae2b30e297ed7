package dev.sluice.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** What a command line has to keep to. */
final class Usage {

    private Usage() {}

    /** Ends the command as one that was wrongly used, unless this holds. */
    static void require(CommandLine command, boolean holds, String complaint) {
        if (!holds) {
            throw new ParameterException(command, complaint);
        }
    }
}
