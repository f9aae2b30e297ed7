package dev.sluice;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the limiter may see of one call. It knows no servlets, so that any kind of server or a test can offer one. */
public interface Call {

    /** The method as the caller spelt it, such as {@code GET}. */
    String method();

    /**
     * The path as it was sent: still percent-encoded, without the query and without what the application is mounted
     * under.
     */
    String path();

    /**
     * Another path that may be meant, where servers and frameworks disagree on where the application's own part of an
     * odd path begins; {@code null} nearly always.
     */
    default @Nullable String otherPath() {
        return null;
    }

    /** The address of the peer of this connection, in any textual form. */
    String ip();

    default @Nullable String header(String name) {
        return null;
    }

    /**
     * All lines of a header, in the order in which they were sent; empty if there are none. A call whose headers can
     * have several lines has to give them all: of those that proxies add to, the last counts, and callers write the
     * first.
     */
    default List<String> headers(String name) {
        String only = header(name);
        return only == null ? List.of() : List.of(only);
    }

    default @Nullable String query(String name) {
        return null;
    }

    /** In how many ways servers may read the query: one, unless it is encoded oddly. */
    default int queryReadings() {
        return 1;
    }

    /** The parameter in one of these ways; the way of {@link #query(String)} is 0. */
    default @Nullable String query(String name, int reading) {
        return query(name);
    }

    default @Nullable String cookie(String name) {
        return null;
    }

    default @Nullable String attribute(String name) {
        return null;
    }

    /** The authenticated user's name, if the call is authenticated. */
    default @Nullable String principal() {
        return null;
    }

    /** What a token says of the caller under this name, if the call is authenticated by one that was verified. */
    default @Nullable String claim(String name) {
        return null;
    }

    /** The identifier of the caller's existing session. */
    default @Nullable String session() {
        return null;
    }

    /**
     * Whether a thread of a bounded pool is held while the call waits for its turn in a queue. Of such calls only so
     * many wait as {@link dev.sluice.limits.Limits.WaitingThreads} says; the next is refused.
     */
    default boolean holdsThread() {
        return false;
    }
}
