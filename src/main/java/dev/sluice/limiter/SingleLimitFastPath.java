package dev.sluice.limiter;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.limiter.counter.Counter;
import dev.sluice.limiter.counter.CounterFamily;
import dev.sluice.limiter.counter.Pool;
import dev.sluice.limiter.counter.Sharing;
import dev.sluice.limiter.counter.Shortage;
import dev.sluice.limiter.counter.WaitResult;
import dev.sluice.limiter.endpoint.CompiledEndpoint;
import dev.sluice.limiter.endpoint.SubjectChain;
import dev.sluice.limiter.memory.Counters;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides the common case: one endpoint, always enforced, with one tier, one subject and a cost of 1. */
final class SingleLimitFastPath {

    private static final long COST = 1;

    private final Counters counters;
    private final Sharing sharing;

    SingleLimitFastPath(Counters counters, Sharing sharing) {
        this.counters = counters;
        this.sharing = sharing;
    }

    /**
     * Decides a call for an endpoint that {@link CompiledEndpoint#isSimple}; {@code null} if the limits are being replaced
     * by others that are not.
     */
    @Nullable Decision decide(CompiledEndpoint compiledEndpoint, Call call, long nowMillis) {
        SubjectChain.Result found = compiledEndpoint.chain.find(call);
        String value = found.value();
        CounterFamily family = compiledEndpoint.family(found.source());
        Counter counter = counters.get(family, value, compiledEndpoint.limitsNumber, nowMillis);
        Decision atOnce =
                counter.family == family ? counter.tryAdmit(compiledEndpoint.endpoint, family, nowMillis) : null;
        return atOnce != null ? atOnce : decide(compiledEndpoint, family, value, counter, nowMillis);
    }

    private @Nullable Decision decide(
            CompiledEndpoint compiledEndpoint, CounterFamily family, String value, Counter found, long asked) {
        Endpoint endpoint = compiledEndpoint.endpoint;
        Counter counter = found;
        long now = asked;
        long deadline = 0;
        Shortage waitedFor = null;
        while (!compiledEndpoint.needsTicket(counter.family)) {
            Pool pool = counter.at(now);
            long state = pool == null ? Pool.CLOSED : pool.take(COST, now);
            if (pool == null || state == Pool.CLOSED) {
                now = sharing.nowMillis(); // its window may have ended
                counter = counters.get(family, value, compiledEndpoint.limitsNumber, now); // it was retired meanwhile
                continue;
            }
            if (state >= 0) {
                sharing.afterTake(pool, state);
                noteWait(waitedFor, deadline, Outcome.ADMITTED);
                return Decisions.admitted(endpoint, pool, state, now, null);
            }
            deadline = deadline == 0 ? sharing.deadlineNanos() : deadline;
            Shortage lacking = new Shortage(pool, COST, COST, true);
            WaitResult answer = sharing.await(List.of(lacking), deadline);
            waitedFor = answer.hasWaited() ? lacking : waitedFor;
            Outcome refusal = answer.refusal();
            if (refusal != null) {
                noteWait(waitedFor, deadline, refusal);
                return Decisions.refused(refusal, endpoint, pool, COST, now, null);
            }
            now = sharing.nowMillis();
            if (answer.isGranted()) {
                noteWait(waitedFor, deadline, Outcome.ADMITTED);
                return Decisions.admitted(endpoint, pool, answer.state(), now, null);
            }
        }
        return null;
    }

    private void noteWait(@Nullable Shortage waitedFor, long deadline, Outcome outcome) {
        if (waitedFor != null) {
            sharing.waited(waitedFor, deadline, outcome);
        }
    }
}
