package dev.sluice;

/**
 * Selects the endpoints that apply to a call, for services that consult their limiter twice, before and after
 * authentication. Each endpoint belongs to one of these two phases.
 */
public enum Phase {
    /** All endpoints in one step. */
    WHOLE,
    /**
     * Endpoints that do not depend on the authenticated caller. They also count responses from the authentication
     * itself, such as 401. Clients and plans that are known only after authentication do not apply to these endpoints.
     */
    BEFORE_AUTHENTICATION,
    /** Endpoints whose subjects or conditions need a value that is known only after authentication. */
    AFTER_AUTHENTICATION
}
