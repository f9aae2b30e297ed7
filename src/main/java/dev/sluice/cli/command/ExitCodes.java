package dev.sluice.cli.command;

import picocli.CommandLine.ExitCode;

/** The exit codes of all commands. */
public final class ExitCodes {

    /** All is well. */
    public static final int OK = ExitCode.OK;

    /** The file, the port or something else outside the command line is not as it should be. */
    public static final int FAILED = ExitCode.SOFTWARE;

    /** The command line was not understood. */
    public static final int WRONG_USAGE = ExitCode.USAGE;

    private ExitCodes() {}
}
