package dev.sluice.limits;

import java.time.Duration;

/**
 * Options for counting with other instances, for all tiers.
 *
 * @param onFailure what decides while the store is away
 * @param timeout the longest that a call waits for what other instances hold; a store that is silent for so long is away, unless
 *     it usually takes longer
 * @param instances how many instances divide the limits among them while the store is away, if it has never said
 */
public record SharingOptions(OnFailure onFailure, Duration timeout, int instances) {

    /** The defaults. */
    public static final SharingOptions DEFAULT = new SharingOptions(OnFailure.SHARE, Duration.ofMillis(250));

    /** Options of an instance that believes itself alone until the store says otherwise. */
    public SharingOptions(OnFailure onFailure, Duration timeout) {
        this(onFailure, timeout, 1);
    }

    /** What decides while the store is away. */
    public enum OnFailure {
        /** Instances divide among them what was left of each limit. */
        SHARE,
        /** Each instance counts alone: up to the threshold, less the last known usage of the others. */
        LOCAL,
        /** All calls pass. */
        ALLOW,
        /** Permits in hand are used up; all other calls are refused. */
        DENY
    }
}
