package dev.sluice.cli.command;

/** With what commands end, beside 0 if all is well and 2 for wrong usage. The same in every command. */
public final class ExitCodes {

    /** The command could not do its work. */
    public static final int FAILED = 1;
    /** There is no such client, endpoint or subject, so nothing was done. */
    public static final int UNKNOWN_NAME = 3;
    /** The store cannot be reached, does not let us in, or does not answer. */
    public static final int STORE_AWAY = 4;
    /** No such limit is set in the store. */
    public static final int NOTHING_SET = 5;
    /** It is done in the store, and not all instances that live have taken it over. */
    public static final int NOT_FOLLOWED = 6;

    /** A rehearsal refuses more calls than was said to be allowed. */
    public static final int TOO_MANY_REFUSED = 7;

    /** Nothing of another rate limiter's file could be imported. */
    public static final int NOTHING_IMPORTED = 8;

    private ExitCodes() {}
}
