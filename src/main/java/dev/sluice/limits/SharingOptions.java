package dev.sluice.limits;

import java.time.Duration;

/**
 * What holds for counting together as a whole.
 *
 * @param onFailure who decides while the store is away
 * @param timeout how long a call that needs the store's answer waits for it
 */
public record SharingOptions(OnFailure onFailure, Duration timeout) {

    /** What a file that says nothing gets. */
    public static final SharingOptions DEFAULT = new SharingOptions(OnFailure.LOCAL, Duration.ofMillis(50));

    /** Who decides while the store is away. */
    public enum OnFailure {
        /**
         * Each instance by its own counts: up to the threshold each, less what the others were last known to have had.
         */
        LOCAL,
        /** Everything passes. */
        ALLOW,
        /** Only shares in hand are used up; all else is refused. */
        DENY
    }
}
