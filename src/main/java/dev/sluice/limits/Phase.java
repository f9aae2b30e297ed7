package dev.sluice.limits;

/**
 * Which definitions answer a call, where a service asks its limiter twice: before it has found out who is calling, and
 * after. Each definition belongs to one of the two.
 */
public enum Phase {
    /** All, at once. */
    WHOLE,
    /** Those that need not know who has been authenticated; they see the answers of whatever authenticates. */
    BEFORE_AUTHENTICATION,
    /** Those that count, or are told clients, by what only an authenticated call tells. */
    AFTER_AUTHENTICATION
}
