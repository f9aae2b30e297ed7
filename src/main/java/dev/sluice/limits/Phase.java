package dev.sluice.limits;

/**
 * Which definitions decide a call, where a service asks its limiter twice: before and after authentication. Each
 * definition belongs to one of the two.
 */
public enum Phase {
    /** All definitions at once. */
    WHOLE,
    /** Definitions that do not need the authenticated caller. They see the answers of the authentication. */
    BEFORE_AUTHENTICATION,
    /** Definitions that count by, or have clients identified by, what only an authenticated call contains. */
    AFTER_AUTHENTICATION
}
