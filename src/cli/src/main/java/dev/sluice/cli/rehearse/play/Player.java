package dev.sluice.cli.rehearse.play;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.Ticket;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.block.KnownBlock;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.limits.Limits;
import java.util.ArrayList;
import java.util.List;

/** Plays calls to a limiter at the times recorded in the log. Not thread-safe. */
public final class Player implements AutoCloseable {

    private static final int LOOK_EVERY = 1_024;
    private static final long FEWEST_BEFORE_SWEEP = 15_000;

    /** The load of the machine. Logs do not contain it, so we assume that the machine is idle. */
    private static final LoadSignal IDLE = () -> 0;

    private final VirtualClock clock = new VirtualClock();
    private final CallsInFlight inFlight = new CallsInFlight(clock);
    private final List<Decision> decisions = new ArrayList<>();
    private final CountingRateLimiter limiter;
    /**
     * When the number of counters reaches this value, idle counters are removed. The value is 1.5 times the number of
     * counters in use, so that sweeps are rare.
     */
    private long sweepAt = FEWEST_BEFORE_SWEEP;

    private int calls;
    private List<KnownBlock> begun = List.of();
    private int blocksSinceSweep;

    public Player(Limits limits) {
        UnsharedCounting counting = new UnsharedCounting(clock, inFlight::nanos, inFlight);
        RateLimitListener recorder = new RateLimitListener() {
            @Override
            public void onDecision(Call call, Decision decision) {
                decisions.add(decision);
            }
        };
        limiter = CountingRateLimiter.sharing(limits, counting, recorder, IDLE);
    }

    /**
     * Makes the call, and returns the decisions that the limiter reports; empty if no endpoint matches. The result is
     * valid only until the next call of this method.
     */
    public List<Decision> play(LoggedCall call) {
        inFlight.endUntil(call.startMillis());
        clock.moveTo(call.startMillis());
        if (++calls % LOOK_EVERY == 0 && limiter.counters() >= sweepAt) {
            limiter.sweep();
            sweepAt = Math.max(FEWEST_BEFORE_SWEEP, 3 * limiter.counters() / 2);
        }
        decisions.clear();
        Ticket ticket = limiter.decide(call).ticket();
        if (ticket != null) {
            inFlight.begin(ticket, call);
        }
        takeBlocks();
        return decisions;
    }

    /**
     * Returns the blocks that began between the previous call and the end of the latest one. Includes blocks that a dry
     * run only reports.
     */
    List<KnownBlock> begunBlocks() {
        return begun;
    }

    /**
     * Takes the blocks that have begun and marks them as reported, as an instance does when it reports them. This keeps
     * the number of stored blocks the same as on an instance.
     */
    private void takeBlocks() {
        begun = limiter.blocks().begun();
        limiter.blocks().reported(begun);
        blocksSinceSweep += begun.size();
        if (blocksSinceSweep > Block.MOST) {
            blocksSinceSweep = 0;
            limiter.sweep();
        }
    }

    /** Returns the time of the last call. */
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public void close() {
        limiter.close();
    }
}
