package dev.sluice.internal.config.file;

import dev.sluice.LimitsException.Problem;
import dev.sluice.internal.config.keys.StartPolicy;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Sync;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The content of a valid file, and the warnings about it.
 *
 * @param name the name of the file, for people to read
 * @param limits the limits for the limiter
 * @param store the store
 * @param disabled the number of disabled endpoints
 * @param onMethods the names that endpoints have in {@code on}, including disabled endpoints
 * @param intervals the intervals of work that is repeated in the background
 * @param tiers the settings that apply to all tiers
 * @param warnings in the order of the file
 */
public record LimitsFile(
        String name,
        Limits limits,
        Store store,
        int disabled,
        Set<String> onMethods,
        Intervals intervals,
        AllTiers tiers,
        List<Problem> warnings) {

    /**
     * The store.
     *
     * @param uri its URI; may contain a password
     * @param isNamed whether the file names the store, rather than leaving it to the default
     * @param onStart whether a limiter starts although the store does not answer
     */
    public record Store(String uri, boolean isNamed, StartPolicy onStart) {}

    /**
     * The intervals of work that is repeated in the background.
     *
     * @param reload how often to check whether the file has changed
     * @param refresh how often to check whether overrides have changed
     * @param refusals how often to log which callers are refused; zero for never
     */
    public record Intervals(Duration reload, Duration refresh, Duration refusals) {}

    /**
     * The settings that apply to all tiers.
     *
     * @param sync the default for tiers without a {@code sync}
     * @param regionShare the part of each limit that applies in this region; {@code limits} already contains it
     */
    public record AllTiers(Sync sync, BigDecimal regionShare) {

        /** Whether only a part of each limit applies in this region. */
        public boolean hasRegionShare() {
            return regionShare.compareTo(BigDecimal.ONE) != 0;
        }
    }

    public LimitsFile {
        onMethods = Set.copyOf(onMethods);
        warnings = List.copyOf(warnings);
    }

    /** A summary for the log: the number of endpoints, and the warnings. */
    public String summary() {
        return summary("");
    }

    /** The summary, with this text after the number of endpoints. */
    public String summary(String more) {
        int count = limits.endpoints().size();
        return count + (count == 1 ? " endpoint" : " endpoints") + more + Findings.lines(warnings);
    }
}
