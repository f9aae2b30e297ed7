package dev.sluice.cli.command;

/** The exit codes of all commands, beside 0 for success and 2 for wrong usage. */
public final class ExitCodes {

    /** The command could not do its work. */
    public static final int FAILED = 1;
    /** There is no such client, endpoint or subject, so nothing was done. */
    public static final int UNKNOWN_NAME = 3;
    /** The store cannot be reached, refuses the login, or does not answer. */
    public static final int STORE_AWAY = 4;
    /** No such limit is set in the store. */
    public static final int NOTHING_SET = 5;
    /** The store is changed, but not all live instances have taken the change over. */
    public static final int NOT_FOLLOWED = 6;

    /** A rehearsal refuses more calls than was said to be allowed. */
    public static final int TOO_MANY_REFUSED = 7;

    /** Nothing of another rate limiter's file could be imported. */
    public static final int NOTHING_IMPORTED = 8;

    private ExitCodes() {}
}
