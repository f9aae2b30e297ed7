package dev.sluice.config.file;

import dev.sluice.LimitsException.Problem;
import dev.sluice.config.keys.StartPolicy;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A file that can be used: what it says, and what is doubtful about it.
 *
 * @param name as its source gives it
 * @param limits what it says to the limiter
 * @param storeUri where instances count together; may hold a password
 * @param namesStore whether it says so itself
 * @param onStart whether a limiter starts while the store does not answer
 * @param disabled how many more definitions it holds that are not enabled
 * @param reload how often to look whether it has changed
 * @param refresh how often to ask whether limits have changed that are kept elsewhere
 * @param refusals how often to say in the log who is refused; zero for never
 * @param sync how counters are kept together of tiers that say nothing of their own
 * @param warnings in the order of the file
 */
public record LimitsFile(
        String name,
        Limits limits,
        String storeUri,
        boolean namesStore,
        StartPolicy onStart,
        int disabled,
        Duration reload,
        Duration refresh,
        Duration refusals,
        Sync sync,
        List<Problem> warnings) {

    public LimitsFile {
        warnings = List.copyOf(warnings);
    }

    /** For the log: how much is in force, and what is doubtful about it. */
    public String summary() {
        int count = limits.endpoints().size();
        String doubts = warnings.stream().map(warning -> "\n" + warning).collect(Collectors.joining());
        return count + (count == 1 ? " endpoint" : " endpoints") + doubts;
    }
}
