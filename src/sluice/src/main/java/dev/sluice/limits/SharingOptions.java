package dev.sluice.limits;

import java.time.Duration;

/**
 * Options for sharing counts with other instances. They apply to all tiers. Immutable and thread-safe.
 *
 * @param onFailure how decisions about calls are made while the store is unavailable
 * @param timeout the maximum time for which a call waits for permits that other instances hold. If the store does not
 *     respond within this time, it is treated as unavailable, unless replies usually take longer
 * @param instances the number of instances that divide the limits while the store is unavailable; used only if the
 *     store has never reported a number
 */
public record SharingOptions(OnFailure onFailure, Duration timeout, int instances) {

    /** The defaults. */
    public static final SharingOptions DEFAULT = new SharingOptions(OnFailure.SHARE, Duration.ofMillis(250));

    /** Creates options for an instance that assumes it is the only one until the store reports otherwise. */
    public SharingOptions(OnFailure onFailure, Duration timeout) {
        this(onFailure, timeout, 1);
    }

    /** How decisions about calls are made while the store is unavailable. */
    public enum OnFailure {
        /** The instances divide the remaining permits of each limit. */
        SHARE,
        /** Each instance counts alone, up to the threshold minus the last known usage of the other instances. */
        LOCAL,
        /** All calls pass. */
        ALLOW,
        /** Calls are admitted until the permits in hand are used up. Then all calls are refused. */
        DENY
    }
}
