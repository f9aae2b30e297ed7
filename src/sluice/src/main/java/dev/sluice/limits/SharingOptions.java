package dev.sluice.limits;

import java.time.Duration;

/**
 * Options for counting with other instances, for all tiers. Immutable and thread-safe.
 *
 * @param onFailure what decides while the store is unavailable
 * @param timeout the maximum time that a call waits for permits that other instances hold. A store that is unresponsive
 *     for this long is unavailable, unless it usually takes longer
 * @param instances how many instances divide the limits while the store is unavailable, if the store has never said
 */
public record SharingOptions(OnFailure onFailure, Duration timeout, int instances) {

    /** The defaults. */
    public static final SharingOptions DEFAULT = new SharingOptions(OnFailure.SHARE, Duration.ofMillis(250));

    /** Options of an instance that assumes to be alone until the store says otherwise. */
    public SharingOptions(OnFailure onFailure, Duration timeout) {
        this(onFailure, timeout, 1);
    }

    /** What decides while the store is unavailable. */
    public enum OnFailure {
        /** The instances divide the remaining permits of each limit. */
        SHARE,
        /** Each instance counts alone, up to the threshold minus the last known use of the others. */
        LOCAL,
        /** All calls pass. */
        ALLOW,
        /** Calls use up the permits in hand; then all calls are refused. */
        DENY
    }
}
