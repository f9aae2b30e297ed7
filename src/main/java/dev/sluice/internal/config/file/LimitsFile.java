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
 * @param storeUri the URI of the store; may contain a password
 * @param namesStore whether the file names the store, rather than leaving it to the default
 * @param onStart whether a limiter starts although the store does not answer
 * @param disabled the number of disabled endpoints
 * @param onMethods the names that endpoints have in {@code on}, including disabled endpoints
 * @param reload how often to check whether the file has changed
 * @param refresh how often to check whether overrides have changed
 * @param refusals how often to log who is refused; zero for never
 * @param sync the default for tiers without a {@code sync}
 * @param regionShare the part of each limit that applies in this region; {@code limits} already contains it
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

    /** Whether only a part of each limit applies in this region. */
    public boolean hasRegionShare() {
        return regionShare.compareTo(BigDecimal.ONE) != 0;
    }

    /** A summary for the log: the number of endpoints, and the warnings. */
    public String summary() {
        return summary("");
    }

    /** The same, with this text behind the number. */
    public String summary(String more) {
        int count = limits.endpoints().size();
        return count + (count == 1 ? " endpoint" : " endpoints") + more + Findings.lines(warnings);
    }
}
