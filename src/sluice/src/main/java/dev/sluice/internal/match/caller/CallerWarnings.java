package dev.sluice.internal.match.caller;

/** Receives warnings that callers may not be distinguished as the file intends. Implementations must be thread-safe. */
@FunctionalInterface
public interface CallerWarnings {

    /** Ignores warnings. */
    CallerWarnings NONE = (source, calls, authenticated) -> {};

    /**
     * A source of subjects had no value for any of a number of calls.
     *
     * @param source its name in the file
     * @param authenticated whether the last of these calls was authenticated
     */
    void emptySource(String source, int calls, boolean authenticated);

    /** A call has a forwarding header that the server has not read, and no proxy is trusted. May be repeated. */
    default void ignoredForwarding() {}
}
