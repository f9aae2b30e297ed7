package dev.sluice.internal.limiter;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.internal.limiter.counter.Sharing;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoint;
import dev.sluice.internal.limiter.endpoint.NamedCaller;
import dev.sluice.internal.limiter.memory.Counters;
import dev.sluice.limits.CallerCounters;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A counter that is looked up by its caller's identity rather than by a call.
 *
 * @param compiled the endpoint as it applies to the caller
 * @param family the family of the counter
 * @param values the value of the only subject, or the list of values if there are several subjects
 */
public record NamedCounter(
        CompiledEndpoint compiled, CounterFamily family, Object values, Counters counters, Sharing sharing)
        implements CallerCounters.Found {

    static List<NamedCounter> all(Collection<NamedCaller.AtEndpoint> found, Counters counters, Sharing sharing) {
        List<NamedCounter> all = new ArrayList<>();
        for (NamedCaller.AtEndpoint one : found) {
            for (CounterFamily family : one.caller().families()) {
                all.add(new NamedCounter(one.endpoint(), family, one.caller().values(), counters, sharing));
            }
        }
        return all;
    }

    @Override
    public Endpoint endpoint() {
        return compiled.endpoint;
    }

    @Override
    public boolean isExempt() {
        return compiled.exempt;
    }

    @Override
    public Tier tier() {
        return pool(sharing.nowMillis()).shownTier();
    }

    @Override
    public List<Subject> subjects() {
        return family.subjects(values);
    }

    @Override
    public long remaining() {
        long now = sharing.nowMillis();
        return pool(now).left(now);
    }

    @Override
    public boolean isUsedUp() {
        long now = sharing.nowMillis();
        Pool pool = pool(now);
        long need = Math.max(1, endpoint().cost().each());
        return pool.usable(now) < need || (family.blocks != null && family.blocks.find(values, now, false) != null);
    }

    @Override
    public void useUp() {
        long now = sharing.nowMillis();
        Pool pool = pool(now);
        long all = pool.available(pool.state(now), now);
        if (family.compiledLimit.isConcurrency) {
            pool.take(all, now);
        } else {
            pool.charge(all, now);
        }
    }

    private Pool pool(long nowMillis) {
        Pool pool = null;
        while (pool == null) { // the counter might have been retired in the meantime
            pool = counters.get(family, values, compiled.limitsNumber, nowMillis)
                    .at(nowMillis);
        }
        return pool;
    }
}
