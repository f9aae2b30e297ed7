package dev.sluice.match.caller;

/** Receives a warning if a source of subjects never has a value. */
@FunctionalInterface
public interface SilentSourceListener {

    /** Ignores warnings. */
    SilentSourceListener IGNORED = (source, calls, authenticated) -> {};

    /**
     * A source had no value for any of this many calls.
     *
     * @param source its name in the file
     * @param authenticated whether the last of these calls was authenticated
     */
    void silent(String source, int calls, boolean authenticated);
}
