package dev.sluice.cli.rehearse.tally;

import dev.sluice.Block;
import dev.sluice.Subject;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.text.CallerText;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the blocks that began at one endpoint, or that would have begun without a dry run. Counts all blocks, but
 * stores only a limited number of callers. That number equals the maximum number of blocks that a limiter stores. Not
 * thread-safe.
 */
final class BlockTally {

    private final RefusalCount all = new RefusalCount();
    private final Map<Who, Blocked> callers = new HashMap<>();

    private record Who(List<Subject> caller, String tier) {}

    /**
     * One caller's blocks at one tier: the start of the first block, the end of the last block, and the total duration.
     */
    private record Blocked(Who who, long blocks, long sinceMillis, long untilMillis, long lastedMillis) {

        private Blocked with(Blocked later) {
            return new Blocked(who, blocks + 1, sinceMillis, later.untilMillis, lastedMillis + later.lastedMillis);
        }

        private EndpointReport.Blocked report() {
            return new EndpointReport.Blocked(
                    CallerText.of(who.caller),
                    who.tier,
                    blocks,
                    TimeText.moment(sinceMillis),
                    TimeText.moment(untilMillis),
                    lastedMillis);
        }
    }

    void add(Block block) {
        List<Subject> caller = block.key().subjects();
        all.add(caller);
        Who who = new Who(caller, block.key().tier());
        if (callers.size() < Block.MOST || callers.containsKey(who)) {
            long lasts = block.untilMillis() - block.sinceMillis();
            callers.merge(who, new Blocked(who, 1, block.sinceMillis(), block.untilMillis(), lasts), Blocked::with);
        }
    }

    /** Returns the number of blocks, and the number of different blocked callers. */
    RefusalCount all() {
        return all;
    }

    /** Returns the callers whose blocks lasted longest in total. */
    List<EndpointReport.Blocked> longest(int most) {
        return callers.values().stream()
                .sorted(Comparator.comparingLong(Blocked::lastedMillis)
                        .reversed()
                        .thenComparingLong(Blocked::sinceMillis)
                        .thenComparing(one -> CallerText.of(one.who.caller)))
                .limit(most)
                .map(Blocked::report)
                .toList();
    }
}
