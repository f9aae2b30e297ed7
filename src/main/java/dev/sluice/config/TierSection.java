package dev.sluice.config;

import dev.sluice.Limit;
import dev.sluice.Sync;
import dev.sluice.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One item of {@code tiers}. */
final class TierSection {

    private static final String EXAMPLE = "{ period: 10s, threshold: 1000 }";

    private static final Set<String> LATER_ALGORITHMS =
            Set.of("sliding-window", "sliding-log", "token-bucket", "leaky-bucket", "concurrency");

    private final Sync sync;

    /** Reads tiers; one that says nothing of its own is kept together like this. */
    TierSection(Sync sync) {
        this.sync = sync;
    }

    Shape<List<PlacedTier>> tiers() {
        return Shapes.listOf(this::read, "[ " + EXAMPLE + " ]", "write at least one tier, such as " + EXAMPLE);
    }

    private @Nullable PlacedTier read(Value value, Findings findings) {
        Value.Fields map = Shapes.fields(value, EXAMPLE, findings);
        if (map == null) {
            return null;
        }
        try (Section keys = Section.of(map, findings)) {
            Duration period =
                    keys.required("period", Shapes.duration(Duration.ofMillis(1), Duration.ofDays(366)), "period: 10s");
            Long threshold = keys.required("threshold", Shapes.wholeNumber(1, Limit.MAX_THRESHOLD), "threshold: 1000");
            Algorithm algorithm = keys.optional(
                    "algorithm",
                    Shapes.word(Map.of("fixed-window", Limit.FixedWindow::new), LATER_ALGORITHMS),
                    Limit.FixedWindow::new);
            keys.notYet("subWindows", "burst", "queue", "maxWait", "tolerance", "elastic", "scope");
            Sync own = keys.optional("sync", SyncShape.of(sync), sync);
            if (period == null || threshold == null || !keys.isSound()) {
                return null;
            }
            return new PlacedTier(
                    new Tier(Durations.shortest(period), algorithm.limit(threshold, period), own), map.place());
        }
    }

    /** Makes a limit of a tier's figures. */
    private interface Algorithm {
        Limit limit(long threshold, Duration period);
    }
}
