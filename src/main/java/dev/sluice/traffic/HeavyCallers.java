package dev.sluice.traffic;

import dev.sluice.Decision;
import dev.sluice.Subject;
import dev.sluice.traffic.Tally.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Those who call most within a slice of time, by a stream summary (space saving): as many callers as fit are listed, and
 * one that is new takes the place of the one with the fewest calls, of which it is taken to have had as many. So counts
 * are exact as long as all callers fit. Beyond, with N calls of any number of callers, whoever has had more than N /
 * capacity is listed, and no count misses more than that.
 *
 * <p>A call of a listed caller is counted without a lock. Others are listed behind one that is held for arithmetic only.
 */
final class HeavyCallers {

    /** For each caller that fits there are so many places to be found in, of which so many are looked at. */
    private static final int PLACES_EACH = 4;

    private static final int MOST_LOOKED_AT = 8;

    private final int capacity;
    private final int times;
    /** Where tallies are found fast: at the hash, or beside it. None is ever emptied; closed ones are replaced. */
    private final AtomicReferenceArray<@Nullable Tally> places;

    /** All that are listed; guarded by {@code this}, as all that follows. */
    private final Map<Caller, Tally> listed = new HashMap<>();
    /** The same as a heap by {@link Tally#ranked}, which may lag behind: the first has the fewest or is out of date. */
    private final Tally[] heap;

    private int size;
    /** By endpoint and kind, the calls of those who are listed no more. */
    private final Map<String, long[]> dropped = new HashMap<>();

    /**
     * Lists nobody yet.
     *
     * @param times how many times of calls to keep for each
     */
    HeavyCallers(int capacity, int times) {
        this.capacity = capacity;
        this.times = times;
        this.heap = new Tally[capacity];
        this.places = new AtomicReferenceArray<>(Integer.highestOneBit(capacity * PLACES_EACH - 1) * 2);
    }

    void count(String endpoint, Kind kind, Decision decision, long nowMillis) {
        count(endpoint, Caller.hash(endpoint, decision.subjects()), kind, decision, nowMillis);
    }

    /** The same where the {@link Caller#hash} is known. */
    void count(String endpoint, int hash, Kind kind, Decision decision, long nowMillis) {
        List<Subject> subjects = decision.subjects();
        Tally tally = find(hash, endpoint, subjects);
        if (tally == null || !tally.count(kind, decision, nowMillis)) {
            countListed(new Caller(endpoint, subjects), hash, kind, decision, nowMillis);
        }
    }

    private @Nullable Tally find(int hash, String endpoint, List<Subject> subjects) {
        for (int i = 0; i < MOST_LOOKED_AT; i++) {
            Tally tally = places.getAcquire(place(hash + i));
            if (tally == null) {
                return null;
            }
            if (tally.hash == hash && tally.caller.is(endpoint, subjects) && !tally.isClosed()) {
                return tally;
            }
        }
        return null;
    }

    private int place(int hash) {
        return hash & (places.length() - 1);
    }

    private synchronized void countListed(Caller caller, int hash, Kind kind, Decision decision, long nowMillis) {
        Tally tally = listed.get(caller);
        if (tally == null) {
            tally = size < capacity ? added(caller, hash) : putInPlaceOfLeast(caller, hash);
            listed.put(caller, tally);
            remember(tally);
        }
        var unused = tally.count(kind, decision, nowMillis); // only this lock's owner closes any
    }

    private Tally added(Caller caller, int hash) {
        Tally tally = new Tally(caller, hash, 0, times);
        heap[size++] = tally;
        for (int at = size - 1; at > 0 && heap[(at - 1) / 2].ranked > tally.ranked; at = (at - 1) / 2) {
            swap(at, (at - 1) / 2);
        }
        return tally;
    }

    private Tally putInPlaceOfLeast(Caller caller, int hash) {
        Tally least = least();
        long[] counted = least.close();
        listed.remove(least.caller);
        long estimate = least.missed;
        long[] gone = dropped.computeIfAbsent(least.caller.endpoint(), first -> new long[Kind.values().length]);
        for (Kind kind : Kind.values()) {
            gone[kind.at] += counted[kind.at];
            estimate += counted[kind.at];
        }
        Tally tally = new Tally(caller, hash, estimate, times);
        heap[0] = tally;
        sink();
        return tally;
    }

    /** Counts only rise, so whoever is first by a count that is not out of date has the fewest. */
    private Tally least() {
        while (heap[0].estimate() != heap[0].ranked) {
            heap[0].ranked = heap[0].estimate();
            sink();
        }
        return heap[0];
    }

    private void sink() {
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1].ranked < heap[child].ranked) {
                child++;
            }
            if (child >= size || heap[at].ranked <= heap[child].ranked) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int one, int other) {
        Tally tally = heap[one];
        heap[one] = heap[other];
        heap[other] = tally;
    }

    /** Names that were made up to share a hash find no place beside each other; they are looked up in the map. */
    private void remember(Tally tally) {
        for (int i = 0; i < MOST_LOOKED_AT; i++) {
            Tally there = places.getPlain(place(tally.hash + i));
            if (there == null || there.isClosed()) {
                places.setRelease(place(tally.hash + i), tally);
                return;
            }
        }
    }

    /** All that is known at this moment. */
    synchronized Content content() {
        Map<String, long[]> gone = new HashMap<>();
        dropped.forEach((endpoint, calls) -> gone.put(endpoint, calls.clone()));
        return new Content(List.of(Arrays.copyOf(heap, size)), gone, size < capacity ? 0 : least().estimate());
    }

    /**
     * What was counted.
     *
     * @param listed the callers who call most
     * @param dropped by endpoint and kind, the calls that are in no tally
     * @param missed how many calls a caller who is not listed may have had at most
     */
    record Content(List<Tally> listed, Map<String, long[]> dropped, long missed) {}
}
