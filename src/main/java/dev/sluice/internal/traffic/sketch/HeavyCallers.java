package dev.sluice.internal.traffic.sketch;

import dev.sluice.CallerSubjects;
import dev.sluice.Decision;
import dev.sluice.Subject;
import dev.sluice.internal.traffic.sketch.Tally.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The busiest callers of a time slice. Thread-safe.
 *
 * <p>The algorithm is space saving (a stream summary): a bounded number of callers is listed; a new one replaces the
 * one with the fewest calls and inherits its number. Counts are exact as long as all callers fit. Otherwise, of N
 * calls, every caller with more than N / capacity is listed, and no count misses more than that.
 *
 * <p>Most callers that do not fit call too rarely to get a slot. {@link UnlistedCalls} keeps an upper bound for the
 * calls of each. Until that bound reaches the fewest calls of a listed caller, a caller's calls are counted there and
 * in the endpoint's sums (filtered space saving). A caller that loses its slot continues there with its number.
 *
 * <p>Both ways take no lock. A lock is held, for arithmetic only, while a caller gets a slot. A call without a slot
 * counts as unlisted only up to a number of calls, {@link #most}, that was read before the search for the slot. A
 * caller that gets a slot in between had at least that many; a caller that loses its slot is first raised to its number
 * there. Either way the call is counted in the slot or under the lock, so the bounds hold under concurrency.
 */
public final class HeavyCallers {

    /** The bits of one slot number in a caller's hint. A hint has room for two tables. */
    public static final int HINT_BITS = 16;

    private static final int HINT = (1 << HINT_BITS) - 1;

    private final int capacity;
    private final int hintBit;
    private final SlotTable slots;
    private final Tallies tallies;
    private final UnlistedCalls unlisted;
    private final EndpointSums notListed = new EndpointSums();

    /**
     * The most calls that an unlisted caller has had: the fewest of a listed one when last checked; 0 while there are
     * free slots. Never decreases. Changed under the lock.
     */
    private volatile long most;

    /** Guarded by {@code this}, like everything that changes the list. */
    private final SlotHeap order;

    /**
     * Creates an empty list.
     *
     * @param seconds for how many seconds to keep each caller's reported tiers
     * @param hintBit the position of this table's slot number in a caller's hint
     */
    public HeavyCallers(int capacity, int seconds, int hintBit) {
        this.hintBit = hintBit;
        this.capacity = capacity;
        this.slots = new SlotTable(capacity);
        this.tallies = new Tallies(capacity, seconds);
        this.unlisted = new UnlistedCalls(capacity);
        this.order = new SlotHeap(tallies, capacity);
    }

    /** Counts a call. */
    public void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        List<Subject> who = decision.subjects();
        long fingerprint = SlotTable.fingerprint(endpoint, who);
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

    /** The slot where this caller was last found, in this table or another; or no slot. */
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
        var unused = tallies.count(
                slot, fingerprint, kind, decision, nowMillis); // cannot fail: slots end only under this lock
    }

    /**
     * Ends a slot. The order matters: a thread that no longer finds the slot must find the caller's number among the
     * unlisted.
     */
    private void end(int slot) {
        long fingerprint = tallies.fingerprint(slot);
        long calls = tallies.end(slot, notListed); // may be more than when last checked
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

    /** The current content. */
    public synchronized Content content() {
        List<Tally> listed =
                IntStream.range(0, order.size()).mapToObj(tallies::tally).toList();
        Map<String, long[]> sums = notListed.sums();
        for (Tally tally : listed) {
            long[] sum = sums.computeIfAbsent(tally.caller().endpoint(), first -> new long[Kind.values().length]);
            for (Kind kind : Kind.values()) {
                sum[kind.at] += tally.calls(kind);
            }
        }
        return new Content(listed, sums, order.size() < capacity ? 0 : Math.max(most, order.fewest()));
    }

    /**
     * The counted calls.
     *
     * @param listed the busiest callers
     * @param sums the calls of all callers, by endpoint and kind
     * @param missed the most calls that an unlisted caller may have made
     */
    public record Content(List<Tally> listed, Map<String, long[]> sums, long missed) {}
}
