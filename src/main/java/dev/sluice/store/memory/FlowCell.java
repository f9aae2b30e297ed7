package dev.sluice.store.memory;

import dev.sluice.algorithm.BusyPeriods;
import dev.sluice.algorithm.Expiry;
import dev.sluice.algorithm.Gcra;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Use;
import java.util.List;

/** A bucket. */
final class FlowCell extends MemoryCell {
    private final Gcra gcra;
    private final BusyPeriods periods;

    FlowCell(Rule.Flow rule) {
        this.gcra = new Gcra(rule.token(), rule.milli(), rule.depth(), rule.furthest());
        this.periods = new BusyPeriods(gcra);
    }

    @Override
    public void use(String instance, Claim claim, long nowMillis) {
        if (!(claim.rule() instanceof Rule.Flow)) {
            throw otherKind(claim);
        }
        periods.forgetBefore(nowMillis - 2 * claim.leaseMillis());
        for (Use use : claim.uses()) {
            periods.add(nowMillis - use.agoMillis(), use.count(), nowMillis);
        }
        stayUntilFull(nowMillis);
    }

    @Override
    public void useNow(String instance, Claim claim, long calls, long nowMillis) {
        if (calls > 0) {
            periods.add(nowMillis, calls, nowMillis);
            stayUntilFull(nowMillis);
        }
    }

    private void stayUntilFull(long nowMillis) {
        long millis = periods.ahead(nowMillis) / gcra.milli() + 1;
        expiresAtMillis = Math.max(
                expiresAtMillis, nowMillis + millis + Expiry.USUAL.grace().toMillis());
    }

    @Override
    public long left(Claim claim, List<MemoryCell> before, long nowMillis) {
        return Math.floorDiv(gcra.depth() - periods.ahead(nowMillis), gcra.token());
    }

    @Override
    public long total(long nowMillis) {
        return nowMillis * gcra.milli() + periods.ahead(nowMillis);
    }

    @Override
    public long tokens(long permits) {
        return permits * gcra.token();
    }
}
