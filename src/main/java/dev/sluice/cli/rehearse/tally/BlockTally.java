package dev.sluice.cli.rehearse.tally;

import dev.sluice.Block;
import dev.sluice.Subject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The blocks that began at one endpoint, or would have but for a dry run. Counts all blocks, and keeps as many callers as
 * a limiter keeps blocks. Not thread-safe.
 */
public final class BlockTally {

    private final RefusalCount all = new RefusalCount();
    private final Map<Who, Blocked> callers = new HashMap<>();

    private record Who(List<Subject> caller, String tier) {}

    /**
     * The blocks of one caller by one tier.
     *
     * @param sinceMillis when the first one began
     * @param untilMillis when the last one ends
     * @param lastedMillis how long all blocks last together
     */
    public record Blocked(
            List<Subject> caller, String tier, long blocks, long sinceMillis, long untilMillis, long lastedMillis) {

        private Blocked with(Blocked later) {
            return new Blocked(
                    caller, tier, blocks + 1, sinceMillis, later.untilMillis, lastedMillis + later.lastedMillis);
        }
    }

    void add(Block block) {
        List<Subject> caller = block.key().subjects();
        all.add(caller);
        Who who = new Who(caller, block.key().tier());
        if (callers.size() < Block.MOST || callers.containsKey(who)) {
            long lasts = block.untilMillis() - block.sinceMillis();
            callers.merge(
                    who,
                    new Blocked(caller, who.tier, 1, block.sinceMillis(), block.untilMillis(), lasts),
                    Blocked::with);
        }
    }

    /** The number of blocks that began. */
    public long blocks() {
        return all.refused();
    }

    /** The number of different callers who were blocked. */
    public int clients() {
        return all.clients();
    }

    /** The callers who were blocked longest. */
    public List<Blocked> longest(int most) {
        return callers.values().stream()
                .sorted(Comparator.comparingLong(Blocked::lastedMillis)
                        .reversed()
                        .thenComparingLong(Blocked::sinceMillis)
                        .thenComparing(one -> CallerName.of(one.caller)))
                .limit(most)
                .toList();
    }
}
