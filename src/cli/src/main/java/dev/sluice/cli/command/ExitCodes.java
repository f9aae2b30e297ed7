package dev.sluice.cli.command;

/** The exit codes of all commands, in addition to 0 for success and 2 for wrong usage. */
public final class ExitCodes {

    /** The command failed. */
    public static final int FAILED = 1;
    /** The command did nothing, because there is no such client, endpoint or subject. */
    public static final int UNKNOWN_NAME = 3;
    /** The store is unreachable, rejects the credentials, or does not respond. */
    public static final int STORE_UNAVAILABLE = 4;
    /**
     * The store contains nothing that the command could change or show: no such limit is set, no calls can be given, or
     * nobody is blocked.
     */
    public static final int NOTHING_SET = 5;
    /** The store was changed, but not all live instances have applied the change. */
    public static final int NOT_FOLLOWED = 6;

    /** A rehearsal refused more calls than {@code --fail-if-refused} allows. */
    public static final int TOO_MANY_REFUSED = 7;

    /** Nothing could be imported from the other rate limiter's file. */
    public static final int NOTHING_IMPORTED = 8;

    private ExitCodes() {}
}
