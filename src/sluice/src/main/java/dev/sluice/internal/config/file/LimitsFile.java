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
 * The content of a valid limits file, and the warnings about the file.
 *
 * @param name the display name of the file
 * @param limits the limits for the limiter
 * @param store the store that the file specifies
 * @param disabled the number of disabled endpoints
 * @param onMethods the values of {@code on} in all endpoints, including disabled endpoints
 * @param intervals the intervals of recurring background work
 * @param tiers the settings that apply to all tiers
 * @param warnings the warnings in the order of the file
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
     * @param uri the URI, which can contain a password
     * @param isNamed whether the file specifies the store instead of using the default
     * @param onStart the policy for a store that does not respond at startup
     */
    public record Store(String uri, boolean isNamed, StartPolicy onStart) {}

    /**
     * The intervals of recurring background work.
     *
     * @param reload the interval between checks for changes to the file
     * @param refresh the interval between checks for changed overrides
     * @param refusals the interval at which refused callers are logged; zero if they are not logged
     */
    public record Intervals(Duration reload, Duration refresh, Duration refusals) {}

    /**
     * The settings that apply to all tiers.
     *
     * @param sync the default for tiers without a {@code sync}
     * @param regionShare the fraction of each limit that applies in this region. The {@code limits} have already been
     *     multiplied by it
     */
    public record AllTiers(Sync sync, BigDecimal regionShare) {

        /** Whether only a fraction of each limit applies in this region. */
        public boolean hasRegionShare() {
            return regionShare.compareTo(BigDecimal.ONE) != 0;
        }
    }

    public LimitsFile {
        onMethods = Set.copyOf(onMethods);
        warnings = List.copyOf(warnings);
    }

    /** Returns a summary for the log. It contains the number of endpoints and the warnings. */
    public String summary() {
        return summary("");
    }

    /** Returns the summary, with the given text after the number of endpoints. */
    public String summary(String more) {
        int count = limits.endpoints().size();
        return count + (count == 1 ? " endpoint" : " endpoints") + more + Findings.lines(warnings);
    }
}
