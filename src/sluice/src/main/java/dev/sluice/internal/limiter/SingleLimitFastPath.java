package dev.sluice.internal.limiter;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.counter.Shortage;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.SubjectChain;
import dev.sluice.internal.limiter.memory.Counters;
import org.jspecify.annotations.Nullable;

/**
 * The fast path for the common case: one endpoint that is always enforced, with one tier, one subject and a cost of 1.
 */
final class SingleLimitFastPath {

    private static final long COST = 1;

    private final Counters counters;
    private final Sharing sharing;

    SingleLimitFastPath(Counters counters, Sharing sharing) {
        this.counters = counters;
        this.sharing = sharing;
    }

    /**
     * Decides a call to a {@linkplain CompiledEndpoint#isSimple simple} endpoint. Returns {@code null} if the call has
     * to wait, or if the limits are being replaced with limits that are not simple.
     */
    @Nullable Decision decide(CompiledEndpoint compiledEndpoint, Call call, long nowMillis) {
        SubjectChain.Result found = compiledEndpoint.chain.find(call);
        String value = found.value();
        CounterFamily family = compiledEndpoint.family(found.source());
        if (family.blocks != null) {
            Block block = family.blocks.find(value, nowMillis, false);
            if (block != null) {
                return Decisions.blocked(
                        Outcome.REFUSED_BLOCKED, compiledEndpoint.endpoint, family.tier, block, nowMillis, null);
            }
        }
        Counter counter = counters.get(family, value, compiledEndpoint.limitsNumber, nowMillis);
        Decision atOnce =
                counter.family == family ? counter.tryDecide(compiledEndpoint.endpoint, family, nowMillis) : null;
        boolean mayBlock = family.blocks != null && atOnce != null && !atOnce.admitted();
        return atOnce != null && !mayBlock ? atOnce : decide(compiledEndpoint, family, value, counter, nowMillis);
    }

    private @Nullable Decision decide(
            CompiledEndpoint compiledEndpoint, CounterFamily family, String value, Counter found, long asked) {
        Counter counter = found;
        long now = asked;
        while (!compiledEndpoint.needsTicket(counter.family)) {
            Pool pool = counter.at(now);
            long state = pool == null ? Pool.CLOSED : pool.isAnyInLine() ? Pool.TOO_FEW : pool.take(COST, now);
            if (pool != null && state >= 0) {
                sharing.afterTake(pool, state);
                return Decisions.admitted(compiledEndpoint.endpoint, pool, state, now, null);
            }
            if (pool != null && state == Pool.TOO_FEW) {
                return sharing.isHopeless(new Shortage(pool, COST, COST, true))
                        ? refused(compiledEndpoint.endpoint, family, value, pool, now)
                        : null;
            }
            now = sharing.nowMillis(); // the window might have ended
            counter = counters.get(family, value, compiledEndpoint.limitsNumber, now); // it was retired in the meantime
        }
        return null;
    }

    private static Decision refused(Endpoint endpoint, CounterFamily family, String value, Pool pool, long nowMillis) {
        if (family.blocks != null && family.tier.block() != null && !pool.mayBeReturned(COST, nowMillis)) {
            Block begun = family.blocks.refused(family.key(pool.subjects()), value, family.tier, nowMillis, false);
            if (begun != null) {
                return Decisions.blocked(Outcome.REFUSED_BLOCKED, endpoint, family.tier, begun, nowMillis, null);
            }
        }
        return Decisions.refused(Outcome.REFUSED, endpoint, pool, COST, nowMillis, null);
    }
}
