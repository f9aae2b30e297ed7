package dev.sluice.cell;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.Batch.Use;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.algorithm.Gcra;
import dev.sluice.internal.cell.StoreProtocol;
import java.util.ArrayList;
import java.util.List;

/** The counter of a token or leaky bucket. Not thread-safe. */
final class BucketCell extends Cell {
    private BusyPeriods periods;

    BucketCell(Rule.Bucket rule) {
        this.periods = new BusyPeriods(gcra(rule));
    }

    BucketCell(CellState.Bucket flow) {
        this.periods = new BusyPeriods(flow.gcra(), flow.before());
        flow.periods().forEach(busy -> periods.restore(busy.startMillis(), busy.calls()));
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Bucket;
    }

    @Override
    CellState.Contents contents() {
        List<CellState.Busy> all = new ArrayList<>();
        periods.forEach((start, calls) -> all.add(new CellState.Busy(start, calls)));
        return new CellState.Bucket(periods.gcra(), periods.before(), all);
    }

    private static Gcra gcra(Rule.Bucket rule) {
        return new Gcra(rule.token(), rule.milli(), rule.depth(), rule.furthest());
    }

    @Override
    public void use(Batch batch, Statement statement, long nowMillis) {
        periods = periods.following(gcra((Rule.Bucket) statement.rule()), batch.limitsSinceMillis(), nowMillis);
        periods.forgetBefore(nowMillis - StoreProtocol.LATE_LEASES * statement.leaseMillis());
        periods.comeBack(nowMillis);
        for (Use use : statement.uses()) {
            periods.add(nowMillis - use.agoMillis(), use.count(), nowMillis);
        }
    }

    /**
     * Applies the gift, but does not give back the tokens of lapsed permits. The bucket has to refill those tokens over
     * time.
     */
    @Override
    long receive(Statement statement, long nowMillis) {
        long calls = statement.gift().calls();
        if (calls <= 0) {
            return 0;
        }
        Gcra gcra = periods.gcra();
        long lacking = -Math.floorDiv(-periods.ahead(nowMillis), gcra.token());
        return periods.fill(Math.min(calls, lacking - lapsedSince(nowMillis - gcra.millisToRefill())), nowMillis);
    }

    @Override
    public void useNow(String instance, Statement statement, long calls, long nowMillis) {
        periods.add(nowMillis, calls, nowMillis);
        long millis = periods.ahead(nowMillis) / periods.gcra().milli() + 1;
        long lateMillis = StoreProtocol.LATE_LEASES * statement.leaseMillis()
                + TimeToLive.USUAL.grace().toMillis(); // allows for late reports
        expiresAtMillis = Math.max(expiresAtMillis, nowMillis + millis + lateMillis);
    }

    @Override
    void count(String instance, long calls, long atMillis, long nowMillis) {
        // Any later entries are calls of other instances.
        boolean hasFlowedBack = calls < 0 && !periods.hasEntryBy(atMillis);
        if (!hasFlowedBack) {
            periods.add(atMillis, calls, nowMillis);
        }
    }

    /** A lapsed lease remains relevant until the bucket is full again. */
    @Override
    long lapseMattersForMillis(Statement statement, long heldByAll, long nowMillis) {
        long units = periods.ahead(nowMillis) + inUnit(heldByAll);
        return units / periods.gcra().milli() + 1 + TimeToLive.USUAL.grace().toMillis();
    }

    @Override
    public long left(Statement statement, List<Cell> before, long nowMillis) {
        Gcra gcra = periods.gcra();
        return Math.floorDiv(gcra.depth() - periods.ahead(nowMillis), gcra.token());
    }

    @Override
    public long total(long nowMillis) {
        return nowMillis * periods.gcra().milli() + periods.ahead(nowMillis);
    }

    @Override
    public long inUnit(long permits) {
        return permits * periods.gcra().token();
    }
}
