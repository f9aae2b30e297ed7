package dev.sluice.internal.config.status;

import dev.sluice.CounterKey;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.store.operated.Instances;
import dev.sluice.internal.store.operated.Instances.Traces;
import dev.sluice.internal.store.operated.TraceLine;
import dev.sluice.internal.store.operated.TraceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether an operator traces a caller, and then writes to the store what this instance does for that caller. The
 * limiter is watched only during a trace. Its threads add lines to a short list in memory without waiting. Lines that
 * do not fit there or in the store are dropped, and a line says how many. Thread-safe, except for {@link #poll}.
 */
final class CallerTraces implements Sharing.Watch {

    private static final int MOST_HELD = 500;

    private final Instances store;
    private final String server;
    private final Consumer<Sharing.@Nullable Watch> limiter;
    private final LongSupplier nanos;
    private final Duration patience;
    private final AtomicLong numbers = new AtomicLong();
    /** The polling thread replaces the whole map. */
    private volatile Map<String, Followed> followed = Map.of();

    /**
     * Does nothing before {@link #poll}.
     *
     * @param server the display name of this instance
     * @param limiter receives the watcher while a caller is traced, and {@code null} afterwards
     * @param nanos a monotonic clock
     * @param patience how long to wait for the store
     */
    CallerTraces(
            Instances store,
            String server,
            Consumer<Sharing.@Nullable Watch> limiter,
            LongSupplier nanos,
            Duration patience) {
        this.store = store;
        this.server = server;
        this.limiter = limiter;
        this.nanos = nanos;
        this.patience = patience;
    }

    /** One trace, and the lines that are not in the store yet. Thread-safe. */
    private static final class Followed {
        private final TraceRequest request;
        private final long endNanos;
        private List<TraceLine> lines = new ArrayList<>();
        private long leftOut;

        private Followed(TraceRequest request, long now) {
            this.request = request;
            this.endNanos = now + TimeUnit.MILLISECONDS.toNanos(request.leftMillis());
        }

        private boolean isOver(long now) {
            return now - endNanos >= 0;
        }

        private synchronized void add(TraceLine line) {
            if (lines.size() < MOST_HELD) {
                lines.add(line);
            } else {
                leftOut++;
            }
        }

        private synchronized List<TraceLine> take() {
            List<TraceLine> taken = lines;
            lines = new ArrayList<>();
            return taken;
        }

        private synchronized long takeLeftOut() {
            long number = leftOut;
            leftOut = 0;
            return number;
        }

        private synchronized void leaveOut(long number) {
            leftOut += number;
        }
    }

    boolean isTracing() {
        return !followed.isEmpty();
    }

    @Override
    public boolean follows(CounterKey key) {
        return followed.values().stream().anyMatch(one -> concerns(one, key));
    }

    @Override
    public void saw(CounterKey key, long atMillis, String line) {
        for (Followed one : followed.values()) {
            if (concerns(one, key)) {
                one.add(line(atMillis, line));
            }
        }
    }

    private boolean concerns(Followed one, CounterKey key) {
        return one.request.concerns(key) && !one.isOver(nanos.getAsLong());
    }

    private TraceLine line(long atMillis, String text) {
        return new TraceLine(atMillis, numbers.incrementAndGet(), server, text);
    }

    /** Asks the store for the current traces, and writes the lines collected so far. */
    void poll() throws Exception {
        Map<String, Followed> before = followed;
        try {
            Traces now = answer(store.traces());
            Map<String, Followed> next = new LinkedHashMap<>();
            now.requests().stream()
                    .sorted(Comparator.comparing(TraceRequest::id))
                    .limit(Instances.MOST_TRACES)
                    .forEach(request -> next.put(request.id(), followed(before, request, now.nowMillis())));
            followed = next;
            for (Followed ended : before.values()) {
                if (!next.containsKey(ended.request.id())) {
                    write(ended, now.nowMillis());
                }
            }
            for (Followed one : next.values()) {
                write(one, now.nowMillis());
            }
        } finally {
            followed = withoutEnded(followed);
            limiter.accept(followed.isEmpty() ? null : this);
        }
    }

    private Followed followed(Map<String, Followed> before, TraceRequest request, long nowMillis) {
        Followed known = before.get(request.id());
        if (known != null) {
            return known;
        }
        Followed begun = new Followed(request, nanos.getAsLong());
        begun.add(line(nowMillis, "starts to trace this caller"));
        return begun;
    }

    /** Drops expired traces by this machine's clock, so that they end even if the store does not answer. */
    private Map<String, Followed> withoutEnded(Map<String, Followed> all) {
        Map<String, Followed> left = new LinkedHashMap<>(all);
        left.values().removeIf(one -> one.isOver(nanos.getAsLong()));
        return left;
    }

    private void write(Followed one, long nowMillis) throws Exception {
        List<TraceLine> lines = one.take();
        long leftOut = one.takeLeftOut();
        if (leftOut > 0) {
            lines.add(line(nowMillis, leftOut + " lines were dropped, because there were too many"));
        }
        if (!lines.isEmpty()) {
            one.leaveOut(lines.size() - answer(store.addLines(one.request.id(), lines)));
        }
    }

    private <T> T answer(CompletionStage<T> asked) throws Exception {
        return asked.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
