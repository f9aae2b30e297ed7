package dev.sluice.traffic;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The traffic of the last minute: the busiest and the most refused callers of each endpoint.
 *
 * <pre>{@code
 * for (CallerTraffic caller : limiter.traffic().report().mostRefused(10)) {
 *     System.out.println(caller.client() + ": " + caller.calls().refused() + " refused by " + caller.endpoint());
 * }
 * }</pre>
 *
 * <p>The counts are exact for up to {@link #CALLERS} pairs of caller and endpoint in ten seconds. If there are more,
 * the least frequent callers are dropped, so a caller's count can be too small. The sums of endpoints stay exact, and
 * memory is bounded. In callers' counts, a call counts only once, at the endpoint that its {@link Decision} reports,
 * even if several endpoints apply. In {@link TrafficReport#endpoints}, it counts at every endpoint that applies.
 *
 * <p>Thread-safe. A call takes a lock only if its caller is new or if it starts a new slice. The lock protects only
 * arithmetic.
 */
public final class Traffic implements RateLimitListener {

    /** The number of pairs of caller and endpoint that are tallied exactly within ten seconds. */
    public static final int CALLERS = 2_000;

    /** The length of a slice. */
    public static final long SLICE_MILLIS = 10_000;

    private static final int SLICES = 6;

    private final InstantSource clock;
    private final CallerNames names;
    private final int capacity;
    private volatile TrafficSlice current;
    /** The slices of a report, with the current one last. {@link #nextSlice} replaces the whole array. */
    private volatile List<TrafficSlice> slices;

    /**
     * Creates traffic without display names.
     *
     * @param clock the limiter's clock, or a {@link CoarseClock} that follows it
     */
    public Traffic(InstantSource clock) {
        this(clock, CallerNames.NONE, CALLERS);
    }

    /** Creates traffic whose reports include display names. */
    public Traffic(InstantSource clock, CallerNames names) {
        this(clock, names, CALLERS);
    }

    Traffic(InstantSource clock, int capacity) {
        this(clock, CallerNames.NONE, capacity);
    }

    private Traffic(InstantSource clock, CallerNames names, int capacity) {
        this.clock = clock;
        this.names = names;
        this.capacity = capacity;
        this.current = new TrafficSlice(startOf(clock.millis()), capacity);
        this.slices = List.of(current);
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        if (endpoint != null) {
            long now = clock.millis();
            slice(now).count(endpoint.id(), Kind.of(decision), decision, now);
        }
    }

    private TrafficSlice slice(long now) {
        TrafficSlice slice = current;
        long age = now - slice.startMillis();
        return age >= 0 && age < SLICE_MILLIS ? slice : nextSlice();
    }

    /**
     * Starts a new slice, unless another thread has already done so. Reads the clock again, because even a delayed
     * thread must count in the newest slice. If the clock was set back, all counts restart at 0.
     */
    private synchronized TrafficSlice nextSlice() {
        TrafficSlice newest = current;
        long start = startOf(clock.millis());
        if (start == newest.startMillis() || start == newest.startMillis() - SLICE_MILLIS) {
            return newest;
        }
        TrafficSlice next = new TrafficSlice(start, capacity);
        Stream<TrafficSlice> others = slices.stream()
                .filter(slice -> slice.startMillis() > start - SLICES * SLICE_MILLIS && slice.startMillis() < start);
        slices = Stream.concat(others, Stream.of(next)).toList();
        current = next;
        return next;
    }

    private static long startOf(long now) {
        return Math.floorDiv(now, SLICE_MILLIS) * SLICE_MILLIS;
    }

    /**
     * Reports the last minute, which consists of the current slice and the five before it. Never returns {@code null}.
     */
    public TrafficReport report() {
        long now = clock.millis();
        long from = startOf(now) - (SLICES - 1) * SLICE_MILLIS;
        SliceSums sums = new SliceSums(now, names);
        for (TrafficSlice slice : slices) {
            if (slice.startMillis() >= from && slice.startMillis() <= now) {
                sums.add(slice);
            }
        }
        return new TrafficReport(from, now, sums.callers(), sums.endpoints());
    }

    /** Reports each slice that ends after this time, oldest first. The last slice might not have ended yet. */
    public List<TrafficReport> slices(long sinceMillis) {
        long now = clock.millis();
        List<TrafficReport> reports = new ArrayList<>();
        for (TrafficSlice slice : slices) {
            long end = slice.startMillis() + SLICE_MILLIS;
            if (end > sinceMillis && slice.startMillis() <= now) {
                SliceSums sums = new SliceSums(now, names);
                sums.add(slice);
                reports.add(
                        new TrafficReport(slice.startMillis(), Math.min(end, now), sums.callers(), sums.endpoints()));
            }
        }
        return reports;
    }
}
