package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the limiter can see of one call. It does not know servlets, so any kind of server, or a test, can provide one.
 */
public interface Call {

    /** The method as the caller sent it, such as {@code GET}; empty if no request is behind the call. */
    String method();

    /**
     * The path as it was sent: percent-encoded, without the query and without the application's context path. Empty if no
     * request is behind the call.
     */
    String path();

    /**
     * A second possible path, for unusual paths where servers and frameworks disagree on where the context path ends;
     * nearly always {@code null}.
     */
    default @Nullable String otherPath() {
        return null;
    }

    /** The address of the connection's peer, in any textual form; empty if there is none. */
    String ip();

    default @Nullable String header(String name) {
        return null;
    }

    /**
     * All lines of a header, in the order in which they were sent; empty if there are none. A call whose headers can
     * have several lines must return all of them: proxies append their entries, so the last one counts, and callers can
     * write the first.
     */
    default List<String> headers(String name) {
        String only = header(name);
        return only == null ? List.of() : List.of(only);
    }

    default @Nullable String query(String name) {
        return null;
    }

    /** The number of ways in which servers may read the query: 1, unless it is encoded oddly. */
    default int queryReadings() {
        return 1;
    }

    /** The parameter in one of these readings; {@link #query(String)} is reading 0. */
    default @Nullable String query(String name, int reading) {
        return query(name);
    }

    default @Nullable String cookie(String name) {
        return null;
    }

    default @Nullable String attribute(String name) {
        return null;
    }

    /**
     * The value that code gives for a source that reads nothing of a call, such as a {@link SubjectResolver} of the application;
     * {@code null} if that is to be asked.
     */
    default @Nullable String given(String source) {
        return null;
    }

    /** The authenticated user's name; {@code null} if the call is not authenticated. */
    default @Nullable String principal() {
        return null;
    }

    /** The value of a claim in the caller's verified token; {@code null} if there is none. */
    default @Nullable String claim(String name) {
        return null;
    }

    /** An argument of the call, if it is one of a method of the application; a request has none. */
    default @Nullable String argument(String name) {
        return null;
    }

    /** The identifier of the caller's existing session. */
    default @Nullable String session() {
        return null;
    }

    /**
     * Whether the call occupies a thread of a bounded pool while it waits in a queue. At most
     * {@link dev.sluice.limits.Limits.WaitingThreads} such calls wait; the next one is refused.
     */
    default boolean holdsThread() {
        return false;
    }
}
