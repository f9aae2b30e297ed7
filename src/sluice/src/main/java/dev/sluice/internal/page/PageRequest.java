package dev.sluice.internal.page;

import org.jspecify.annotations.Nullable;

/** A request for the page, as parsed by its server. */
public interface PageRequest {

    String method();

    /** Returns the path to which the page is mapped, without a trailing slash, for example {@code /_sluice}. */
    String mappedTo();

    /** Returns the rest of the path, for example {@code /data.json}; empty if the path ends with the mapped prefix. */
    String below();

    /** Returns the first value of a header; {@code null} if there is none. */
    @Nullable String header(String name);

    /** Returns the first value of a query or form parameter; {@code null} if there is none. */
    @Nullable String parameter(String name);

    /** Returns the server name from the {@code Host} header, or from a trusted proxy. */
    String serverName();

    /** Returns the port of the server that the caller has addressed; -1 if unknown. */
    int serverPort();

    /** Whether the caller is allowed to give clients more calls and reset the clients' usage. */
    boolean mayChange();

    /** Returns the name of the authenticated caller; empty if unknown. */
    String user();

    /**
     * Returns the token that Spring Security's CSRF filter requires for each change; {@code null} if there is no such
     * filter.
     */
    @Nullable CsrfToken csrf();

    /** A header that proves that a request was made by the page. */
    record CsrfToken(String header, String token) {}
}
