package dev.sluice.cli.rehearse.play;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.Ticket;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.limiter.CountingRateLimiter;
import dev.sluice.limiter.local.UnsharedCounting;
import dev.sluice.limits.Limits;
import java.util.ArrayList;
import java.util.List;

/** One limiter as services run it, in the time of a log. For one thread. */
public final class Player implements AutoCloseable {

    private static final long SWEEP_MILLIS = 5_000;
    private static final long SWEEP_CALLS = 20_000;

    private final VirtualClock clock = new VirtualClock();
    private final CallsUnderWay underWay = new CallsUnderWay(clock);
    private final List<Decision> said = new ArrayList<>();
    private final CountingRateLimiter limiter;
    private long sweptMillis;
    private long callsSinceSweep;

    public Player(Limits limits) {
        limiter = CountingRateLimiter.sharing(limits, new UnsharedCounting(clock), new Recorder(said));
    }

    private record Recorder(List<Decision> said) implements RateLimitListener {

        @Override
        public void onDecision(Call call, Decision decision) {
            said.add(decision);
        }
    }

    /**
     * Makes the call; what was said of it by each definition that had something to say of its own. Empty if none speaks
     * of it. Valid until the next call.
     */
    public List<Decision> play(LoggedCall call) {
        underWay.endUntil(call.startMillis());
        long now = clock.moveTo(call.startMillis());
        if (++callsSinceSweep >= SWEEP_CALLS && now - sweptMillis >= SWEEP_MILLIS) {
            callsSinceSweep = 0;
            sweptMillis = now;
            limiter.sweep();
        }
        said.clear();
        Ticket ticket = limiter.decide(call).ticket();
        if (ticket != null) {
            underWay.begin(ticket, call.durationMillis(), call.status());
        }
        return said;
    }

    /** The moment of the last call. */
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public void close() {
        limiter.close();
    }
}
