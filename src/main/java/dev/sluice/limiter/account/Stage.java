package dev.sluice.limiter.account;

/**
 * Where an account is in its life.
 *
 * <pre>
 *   IDLE ── a call ──▶ ACTIVE ── all is reported, nobody calls ──▶ IDLE
 *   ACTIVE ── the pool is closed, all is reported ──▶ CLOSED ── a call returns something late ──▶ IDLE
 * </pre>
 */
public enum Stage {
    /** Something is used, held or wanted: it is looked at at each tick. */
    ACTIVE,
    /** All is reported, and nothing is held: it waits for a call. */
    IDLE,
    /** No further statements are sent, unless it is reopened. */
    CLOSED
}
