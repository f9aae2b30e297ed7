package dev.sluice;

/**
 * Selects the endpoints that decide a call, for services that consult their limiter twice: before and after
 * authentication. Each endpoint belongs to one of these two phases.
 */
public enum Phase {
    /** All endpoints at once. */
    WHOLE,
    /**
     * Endpoints that do not depend on the authenticated caller. They also see the responses of the authentication, such
     * as 401. Clients and plans that are known only after authentication do not apply to these endpoints.
     */
    BEFORE_AUTHENTICATION,
    /**
     * Endpoints that are keyed by a value that is known only after authentication, or whose condition needs such a
     * value.
     */
    AFTER_AUTHENTICATION
}
