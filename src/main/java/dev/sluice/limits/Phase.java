package dev.sluice.limits;

/**
 * Which endpoints decide a call, where a service asks its limiter twice: before and after authentication. Each endpoint
 * belongs to one of the two.
 */
public enum Phase {
    /** All endpoints at once. */
    WHOLE,
    /** Endpoints that do not need the authenticated caller. They see the answers of the authentication. */
    BEFORE_AUTHENTICATION,
    /** Endpoints that count by, or have clients identified by, what only an authenticated call contains. */
    AFTER_AUTHENTICATION
}
