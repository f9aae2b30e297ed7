package dev.sluice.internal.page;

import org.jspecify.annotations.Nullable;

/** A request for the page, as its server has read it. */
public interface PageRequest {

    String method();

    /** The path that the page is mapped to, without a slash at the end, for example {@code /_sluice}. */
    String mappedTo();

    /** The rest of the path, for example {@code /data.json}; empty if nothing follows. */
    String below();

    /** The first value of a header; {@code null} if there is none. */
    @Nullable String header(String name);

    /** The first value of a parameter of the query, or of a form; {@code null} if there is none. */
    @Nullable String parameter(String name);

    /** The server that the caller has named in {@code Host}, or that a trusted proxy has named. */
    String serverName();

    /** Its port; -1 if unknown. */
    int serverPort();

    /** Whether the caller may give and reset. */
    boolean mayChange();

    /** The name of the authenticated caller; empty if unknown. */
    String user();

    /** The token that Spring Security's CSRF filter demands of each change; {@code null} if there is no such filter. */
    @Nullable CsrfToken csrf();

    /** A header which proves that the page has made a request. */
    record CsrfToken(String header, String token) {}
}
