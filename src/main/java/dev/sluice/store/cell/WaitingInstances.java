package dev.sluice.store.cell;

import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.store.cell.CellState.Waiting;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The instances whose calls wait for what others hold of one counter, in the order in which they began to. An instance that asks
 * again keeps its place; one that hears of something leaves it, and asks anew. Not safe for several threads.
 */
final class WaitingInstances {

    /** This many hear when permits come back. The others ask again by themselves. */
    private static final int MOST = 64;

    private final Map<String, Waiting> byName = new LinkedHashMap<>();

    void restore(List<Waiting> waiting) {
        waiting.forEach(one -> byName.put(one.instance(), one));
    }

    List<Waiting> all() {
        return List.copyOf(byName.values());
    }

    void clear() {
        byName.clear();
    }

    /** Notes that calls of the sender wait for what this grant lacks. */
    void note(String sender, Statement statement, Grant grant, long nowMillis) {
        Need needed = statement.needed();
        long lacking = needed.all() - grant.granted();
        if (byName.containsKey(sender) || byName.size() < MOST) {
            // how much the next call needs after a part was granted is not known
            long least = grant.granted() == 0 ? needed.least() : 1;
            byName.put(sender, new Waiting(sender, lacking, least, nowMillis + statement.leaseMillis()));
        }
    }

    /** The sender's calls wait no more. */
    void remove(String sender) {
        byName.remove(sender);
    }

    /**
     * Takes out those who are to hear of a statement: whoever needs no more than is free, the first first, until that is used; or
     * the first of all, if the sender has used what it held. Whoever was told asks again.
     *
     * @param free what is left
     * @param usesHeld whether the sender holds less than before
     */
    List<String> takeConcerned(String sender, long free, boolean usesHeld, long nowMillis) {
        List<String> taken = new ArrayList<>();
        long left = Math.max(free, usesHeld ? 1 : 0);
        for (Iterator<Waiting> all = byName.values().iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            boolean isOver = one.untilMillis() <= nowMillis;
            boolean suffices = left > 0 && (one.least() <= left || free <= 0);
            boolean isConcerned = !isOver && suffices && !one.instance().equals(sender);
            if (isConcerned) {
                taken.add(one.instance());
                left -= one.permits();
            }
            if (isOver || isConcerned) {
                all.remove();
            }
        }
        return taken;
    }
}
