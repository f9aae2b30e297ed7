package dev.sluice.limiter.account;

import java.util.Locale;

/** Why a statement is to be sent. */
public enum Why {
    /** Calls here found no permit, and wait, or were refused since others are silent. */
    CALLS_WAIT(true),
    /** Calls of another instance wait for what is held here. */
    RECALLED(true),
    /** The store counts calls that were refused in the end. */
    REFUND(true),
    /** Charges use up what was left, or need what other instances hold. */
    OVERDRAWN(true),
    /** Few permits are in hand. */
    LOW(false),
    /** Charges are a considerable part of what is left. */
    CHARGE(false),
    /** Nobody has called for most of an interval: the share is returned, and what is unreported is reported. */
    RETURN(false),
    /** An interval has ended: the share is filled up or cut down, and use is reported. */
    INTERVAL(false),
    /** Calls are refused: perhaps something has come back to the limit. */
    USED_UP(false),
    /** The window is over, or the counter was retired. */
    CLOSING(false),
    /** The store has lost what was reported. */
    LOST(false),
    /** The store answers again. */
    STORE_BACK(false),
    /** The last statement was not applied. */
    FAILED(false);

    /** Whether a batch is sent for it alone; otherwise it goes with the next one, or after a pause. */
    public final boolean isUrgent;

    Why(boolean isUrgent) {
        this.isUrgent = isUrgent;
    }

    /** The reason in words, for the log and for operators. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
