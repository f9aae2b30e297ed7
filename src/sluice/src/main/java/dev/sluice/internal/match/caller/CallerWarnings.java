package dev.sluice.internal.match.caller;

/**
 * Receives warnings that the service might not distinguish callers as the file intends. Implementations must be
 * thread-safe.
 */
@FunctionalInterface
public interface CallerWarnings {

    /** Ignores warnings. */
    CallerWarnings NONE = (source, calls, authenticated) -> {};

    /**
     * Warns that a subject source had no value in any of these calls.
     *
     * @param source the name of the source in the file
     * @param authenticated whether the last of these calls was authenticated
     */
    void emptySource(String source, int calls, boolean authenticated);

    /**
     * Warns that a call has a forwarding header that the server has not read, although no proxy is trusted. The warning
     * can be repeated.
     */
    default void ignoredForwarding() {}
}
