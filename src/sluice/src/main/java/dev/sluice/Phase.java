package dev.sluice;

/**
 * Which endpoints decide a call, for services that ask their limiter twice: before and after authentication. Each
 * endpoint belongs to one of these two phases.
 */
public enum Phase {
    /** All endpoints at once. */
    WHOLE,
    /**
     * Endpoints that do not need to know who is authenticated. They also see responses of the authentication, such as
     * 401. Clients and plans that are known only after authentication do not apply to them.
     */
    BEFORE_AUTHENTICATION,
    /**
     * Endpoints that are keyed by a value that only an authenticated call has, or whose condition needs such a value.
     */
    AFTER_AUTHENTICATION
}
