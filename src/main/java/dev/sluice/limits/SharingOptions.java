package dev.sluice.limits;

import java.time.Duration;

/**
 * Options for counting with other instances, for all tiers.
 *
 * @param onFailure what decides while the store is away
 * @param timeout the longest that a call waits for what other instances hold; a store that is silent for so long is away, unless
 *     it usually takes longer
 */
public record SharingOptions(OnFailure onFailure, Duration timeout) {

    /** The defaults. */
    public static final SharingOptions DEFAULT = new SharingOptions(OnFailure.LOCAL, Duration.ofMillis(250));

    /** What decides while the store is away. */
    public enum OnFailure {
        /** Each instance counts alone: up to the threshold, less the last known usage of the others. */
        LOCAL,
        /** All calls pass. */
        ALLOW,
        /** Permits in hand are used up; all other calls are refused. */
        DENY
    }
}
