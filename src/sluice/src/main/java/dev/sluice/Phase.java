package dev.sluice;

/**
 * Which endpoints decide a call, if a service asks its limiter twice: before and after authentication. Each endpoint
 * belongs to one of these two phases.
 */
public enum Phase {
    /** All endpoints at once. */
    WHOLE,
    /**
     * Endpoints that do not need to know who is authenticated. They also see responses of the authentication, such as
     * 401. Clients and plans that only authentication yields do not apply to them.
     */
    BEFORE_AUTHENTICATION,
    /** Endpoints that are keyed by something only an authenticated call has, or whose condition asks for it. */
    AFTER_AUTHENTICATION
}
