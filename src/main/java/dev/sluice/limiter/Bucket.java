package dev.sluice.limiter;

import dev.sluice.algorithm.Gcra;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.UnaryOperator;

/** A token or leaky bucket of this process: one immutable state, replaced by compare-and-set. */
final class Bucket extends Pool {

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Bucket.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Gcra gcra;
    private final boolean queues;
    private volatile State state = new State(Gcra.FULL, 0, false);

    /**
     * A full bucket.
     *
     * @param queues whether calls wait for their turn
     */
    Bucket(Counter counter, Gcra gcra, boolean queues) {
        super(counter);
        this.gcra = gcra;
        this.queues = queues;
    }

    /**
     * What there is to a bucket.
     *
     * @param arrival the theoretical arrival time
     * @param holders how many calls have not yet decided to keep what they took
     */
    private record State(long arrival, int holders, boolean closed) {}

    @Override
    long take(long cost, long nowMillis, int holders) {
        int tries = 0;
        while (true) {
            State seen = state;
            if (seen.closed) {
                return CLOSED;
            }
            long believed = gcra.believed(seen.arrival, nowMillis);
            if (believed != seen.arrival) {
                become(seen, new State(believed, seen.holders, false));
                continue;
            }
            long arrival = gcra.take(believed, nowMillis, cost, shut());
            if (arrival == Gcra.TOO_FEW) {
                if (seen.holders == 0) {
                    return TOO_FEW;
                }
                tries = waitForHolder(tries);
            } else if (become(seen, new State(arrival, seen.holders + holders, false))) {
                return arrival;
            }
        }
    }

    private boolean become(State seen, State next) {
        return STATE.compareAndSet(this, seen, next);
    }

    private void update(UnaryOperator<State> change) {
        State seen;
        do {
            seen = state;
        } while (!become(seen, change.apply(seen)));
    }

    @Override
    void keep() {
        update(seen -> new State(seen.arrival, seen.holders - 1, seen.closed));
    }

    @Override
    void giveBack(long cost, long takenAtMillis) {
        update(seen -> new State(gcra.putBack(seen.arrival, cost), seen.holders - 1, seen.closed));
    }

    @Override
    void putBack(long cost, long takenAtMillis) {
        update(seen -> new State(gcra.putBack(seen.arrival, cost), seen.holders, seen.closed));
    }

    @Override
    void charge(long amount, long nowMillis) {
        update(seen -> new State(gcra.charge(seen.arrival, nowMillis, amount), seen.holders, seen.closed));
    }

    @Override
    boolean surelyShortOf(long cost, long nowMillis) {
        State seen = state;
        return !seen.closed
                && seen.holders == 0
                && gcra.believed(seen.arrival, nowMillis) == seen.arrival
                && gcra.tokens(seen.arrival, nowMillis) < cost + shut();
    }

    /** The theoretical arrival time. */
    @Override
    long reading(long nowMillis) {
        return state.arrival;
    }

    @Override
    long rest(long reading, long nowMillis) {
        return Math.max(0, gcra.tokens(reading, nowMillis));
    }

    @Override
    long delayMillis(long reading, long cost, long nowMillis) {
        return queues ? gcra.millisUntilFull(gcra.putBack(reading, cost), nowMillis) : 0;
    }

    @Override
    long resetMillis(long nowMillis) {
        return gcra.millisUntilFull(state.arrival, nowMillis);
    }

    @Override
    long retryMillis(long cost, long nowMillis) {
        return gcra.millisUntil(cost + elastic(), state.arrival, nowMillis);
    }

    @Override
    void close() {
        update(seen -> new State(seen.arrival, seen.holders, true));
    }

    @Override
    boolean closeIfIdle(long nowMillis) {
        State seen = state;
        boolean idle = seen.holders == 0 && gcra.millisUntilFull(seen.arrival, nowMillis) == 0;
        return idle && become(seen, new State(seen.arrival, 0, true));
    }
}
