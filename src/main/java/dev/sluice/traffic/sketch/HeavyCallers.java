package dev.sluice.traffic.sketch;

import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import dev.sluice.Subject;
import dev.sluice.traffic.sketch.Tally.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Those who call most within a slice of time, by a stream summary (space saving): as many callers as fit are listed, and
 * one that is new takes the place of the one with the fewest calls, of which it is taken to have had as many. So counts
 * are exact as long as all callers fit. Beyond, with N calls of any number of callers, whoever has had more than N /
 * capacity is listed, and no count misses more than that.
 *
 * <p>Most callers who do not fit call too seldom to take a place. {@link UnlistedCalls} knows how many calls each of them
 * may have had; until that is as many as the fewest of a listed caller, its calls are counted there and in the sums of
 * the endpoint. (This is filtered space saving.) A caller that had a place and lost it begins there with what it had.
 *
 * <p>Neither takes a lock. One is held, for arithmetic only, while a caller is given a place. A call that finds no slot of
 * its caller counts as unlisted only up to a number of calls, {@link #most}, that was read before it looked: who is given
 * a slot in between has had at least so many, and who loses one is raised to what it had first, so either way the call is
 * counted in the slot or under the lock. Thus bounds hold whatever threads do.
 */
public final class HeavyCallers {

    /** The slots of two such tables fit into a caller's hint. */
    public static final int HINT_BITS = 16;

    private static final int HINT = (1 << HINT_BITS) - 1;

    private final int capacity;
    private final int hintBit;
    private final SlotTable slots;
    private final Tallies tallies;
    private final UnlistedCalls unlisted;
    private final EndpointSums notListed = new EndpointSums();

    /**
     * How many calls a caller who is not listed has had at most: as many as the listed caller with the fewest, when that
     * was looked at last; 0 while there are slots left. Never falls; changed under the lock.
     */
    private volatile long most;

    /** Guarded by {@code this}, as all that changes who is listed. */
    private final SlotHeap order;

    /**
     * Lists nobody yet.
     *
     * @param seconds of how many to remember for each which tier spoke
     * @param hintBit where in a caller's hint its slot here stands
     */
    public HeavyCallers(int capacity, int seconds, int hintBit) {
        this.hintBit = hintBit;
        this.capacity = capacity;
        this.slots = new SlotTable(capacity);
        this.tallies = new Tallies(capacity, seconds);
        this.unlisted = new UnlistedCalls(capacity);
        this.order = new SlotHeap(tallies, capacity);
    }

    public void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        List<Subject> who = decision.subjects();
        long fingerprint = SlotTable.printOf(endpoint, who);
        int hint = hint(who);
        if (hint < capacity && tallies.count(hint, fingerprint, kind, decision, nowMillis)) {
            return;
        }
        long mostBefore = most;
        int slot = slots.find(fingerprint);
        if (slot < 0 && unlisted.count(fingerprint, mostBefore)) {
            notListed.add(endpoint, kind, 1);
        } else if (slot < 0 || !tallies.count(slot, fingerprint, kind, decision, nowMillis)) {
            countListed(endpoint, fingerprint, kind, decision, nowMillis);
        }
        if (hint != (slot & HINT)) {
            leaveHint(who, slot);
        }
    }

    /** The slot in which this caller was found last, be it here or in another table like this, or none. */
    private int hint(List<Subject> who) {
        return who instanceof CallerSubjects carrying ? (carrying.hint() >>> hintBit) & HINT : HINT;
    }

    private void leaveHint(List<Subject> who, int slot) {
        if (who instanceof CallerSubjects carrying) {
            carrying.leaveHint((carrying.hint() & ~(HINT << hintBit)) | ((slot & HINT) << hintBit));
        }
    }

    private synchronized void countListed(
            String endpoint, long fingerprint, Kind kind, Decision decision, long nowMillis) {
        int slot = slots.find(fingerprint);
        if (slot < 0 && order.size() == capacity) {
            most = Math.max(most, order.fewest());
            if (unlisted.count(fingerprint, most)) {
                notListed.add(endpoint, kind, 1);
                return;
            }
            end(order.first());
        }
        if (slot < 0) {
            slot = order.size() < capacity ? order.size() : order.first();
            begin(slot, endpoint, fingerprint, decision.subjects());
        }
        var unused = tallies.count(slot, fingerprint, kind, decision, nowMillis); // only this lock's owner ends any
    }

    /** In this order: whoever finds the slot no more finds what its caller has had among the unlisted. */
    private void end(int slot) {
        long fingerprint = tallies.fingerprint(slot);
        long calls = tallies.end(slot, notListed); // some more than it had when it was looked for
        most = Math.max(most, calls);
        unlisted.raise(fingerprint, calls);
        slots.remove(fingerprint);
    }

    private void begin(int slot, String endpoint, long fingerprint, List<Subject> subjects) {
        tallies.begin(slot, fingerprint, endpoint, subjects, most);
        slots.add(fingerprint, slot);
        if (slot == order.size()) {
            order.add(slot);
        }
    }

    /** All that is known at this moment. */
    public synchronized Content content() {
        List<Tally> listed =
                IntStream.range(0, order.size()).mapToObj(tallies::tally).toList();
        return new Content(listed, notListed.sums(), order.size() < capacity ? 0 : Math.max(most, order.fewest()));
    }

    /**
     * What was counted.
     *
     * @param listed the callers who call most
     * @param notListed by endpoint and kind, the calls that are in no tally
     * @param missed how many calls a caller who is not listed may have had at most
     */
    public record Content(List<Tally> listed, Map<String, long[]> notListed, long missed) {}
}
