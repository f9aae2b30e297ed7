package dev.sluice;

import org.jspecify.annotations.Nullable;

/** What the limiter may see of one call. It knows no servlets, so that any kind of server or a test can offer one. */
public interface Call {

    /** The method as the caller spelt it, such as {@code GET}. */
    String method();

    /** The path as it was sent: still percent-encoded, without the query and without what the application is mounted under. */
    String path();

    /** The address of the peer of this connection, in any textual form. */
    String ip();

    default @Nullable String header(String name) {
        return null;
    }

    default @Nullable String query(String name) {
        return null;
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

    /** The identifier of the caller's existing session. */
    default @Nullable String session() {
        return null;
    }
}
