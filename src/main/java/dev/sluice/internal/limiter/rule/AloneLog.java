package dev.sluice.internal.limiter.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The log of one instance while the store is away. Immutable.
 *
 * @param ends when calls become a period old, and how many, oldest first
 */
record AloneLog(long most, long periodMillis, List<Ending> ends) implements FleetUsage {

    /** The most times. With more, neighbours are merged at the later time. */
    private static final int MOST_TIMES = 128;

    AloneLog {
        ends = List.copyOf(ends);
    }

    /** Calls that stop counting at this time; a negative number if they were returned before. */
    record Ending(long atMillis, long number) {}

    private long used(long nowMillis) {
        return ends.stream()
                .filter(end -> end.atMillis > nowMillis)
                .mapToLong(Ending::number)
                .sum();
    }

    @Override
    public long left(long nowMillis) {
        return most - used(nowMillis);
    }

    @Override
    public long millisUntil(long cost, long nowMillis) {
        for (Ending end : ends) {
            if (end.atMillis > nowMillis && left(end.atMillis) >= cost) {
                return end.atMillis - nowMillis;
            }
        }
        return cost <= left(nowMillis) ? 0 : periodMillis;
    }

    @Override
    public long resetMillis(long used, long nowMillis) {
        if (used > 0) {
            return periodMillis;
        }
        return ends.isEmpty() ? 0 : Math.max(0, ends.get(ends.size() - 1).atMillis - nowMillis);
    }

    @Override
    public AloneLog after(long used, long nowMillis) {
        TreeMap<Long, Long> later = new TreeMap<>();
        ends.stream().filter(end -> end.atMillis > nowMillis).forEach(end -> later.put(end.atMillis, end.number));
        if (used != 0) {
            later.merge(nowMillis + periodMillis, used, Long::sum);
        }
        while (later.size() > MOST_TIMES) {
            long first = later.pollFirstEntry().getValue();
            later.merge(later.firstKey(), first, Long::sum);
        }
        return new AloneLog(most, periodMillis, endings(later));
    }

    private static List<Ending> endings(Map<Long, Long> numbers) {
        List<Ending> all = new ArrayList<>(numbers.size());
        numbers.forEach((at, number) -> all.add(new Ending(at, number)));
        return all;
    }

    @Override
    public FleetUsage alone(Part part, OwnUse own, long nowMillis) {
        return this;
    }

    @Override
    public FleetUsage continuing(FleetUsage before, long uncounted, long nowMillis) {
        return before instanceof AloneLog same
                ? new AloneLog(most, periodMillis, same.ends).after(uncounted, nowMillis)
                : this;
    }
}
