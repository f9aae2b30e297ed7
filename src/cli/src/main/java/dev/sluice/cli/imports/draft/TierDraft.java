package dev.sluice.cli.imports.draft;

import dev.sluice.internal.config.value.Durations;
import java.time.Duration;

/**
 * A tier in the result.
 *
 * @param burst the capacity of a token bucket; 0 for fixed windows
 */
public record TierDraft(Duration period, long threshold, long burst) {

    public static TierDraft fixedWindow(Duration period, long threshold) {
        return new TierDraft(period, threshold, 0);
    }

    String yaml() {
        String figures = "{ period: " + Durations.shortest(period) + ", threshold: " + threshold;
        String bucket = burst == 0 ? "" : ", algorithm: token-bucket";
        return figures + bucket + (burst == 0 || burst == threshold ? "" : ", burst: " + burst) + " }";
    }
}
