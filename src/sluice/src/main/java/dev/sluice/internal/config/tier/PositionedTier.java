package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;

/** A tier and its position in the file. */
public record PositionedTier(Tier tier, FilePosition position) {

    /** A text for messages: {@code 1000 in 10s}, {@code 1000 in 10s by token-bucket}, {@code 20 at once}. */
    String allowance() {
        Limit limit = tier.limit();
        if (!limit.hasPeriod()) {
            return limit.threshold() + " at once";
        }
        String by = limit.algorithm() == Algorithm.DEFAULT
                ? ""
                : " by " + limit.algorithm().word();
        return limit.threshold() + " in " + PeriodText.of(limit) + by;
    }
}
