package dev.sluice.internal.config.file;

import dev.sluice.LimitsException.Problem;
import dev.sluice.internal.config.keys.StartPolicy;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Sync;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The content of a valid file, with its warnings.
 *
 * @param name the name that its source gives it, for people
 * @param limits the limits for the limiter
 * @param storeUri the URI of the store; may contain a password
 * @param namesStore whether the file itself names the store
 * @param onStart whether a limiter starts while the store does not answer
 * @param disabled the number of endpoints that are not enabled
 * @param onMethods the names of methods that its endpoints are on, also of those that are not enabled
 * @param reload how often to check whether the file has changed
 * @param refresh how often to check whether overrides have changed
 * @param refusals how often to log who is refused; zero for never
 * @param sync the default for tiers without a {@code sync}
 * @param regionShare the part of each limit in the file that holds in this region; the limits are those of the region
 * @param warnings in the order of the file
 */
public record LimitsFile(
        String name,
        Limits limits,
        String storeUri,
        boolean namesStore,
        StartPolicy onStart,
        int disabled,
        Set<String> onMethods,
        Duration reload,
        Duration refresh,
        Duration refusals,
        Sync sync,
        BigDecimal regionShare,
        List<Problem> warnings) {

    public LimitsFile {
        onMethods = Set.copyOf(onMethods);
        warnings = List.copyOf(warnings);
    }

    /** Whether this region has a part of each limit only. */
    public boolean hasRegionShare() {
        return regionShare.compareTo(BigDecimal.ONE) != 0;
    }

    /** For the log: the number of endpoints, and the warnings. */
    public String summary() {
        int count = limits.endpoints().size();
        String warned = warnings.stream().map(warning -> "\n" + warning).collect(Collectors.joining());
        return count + (count == 1 ? " endpoint" : " endpoints") + warned;
    }
}
