package dev.sluice.store.cell;

import dev.sluice.algorithm.SlidingWindow;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Rule;
import java.util.List;

/** The counter of a window or frame. */
final class TotalCell extends Cell {
    private long used;

    TotalCell(long used) {
        this.used = used;
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Total || rule instanceof Rule.Frame;
    }

    @Override
    CellState.Contents contents() {
        return new CellState.Total(used);
    }

    @Override
    public void use(String instance, Claim claim, long nowMillis) {
        used = Math.max(0, used + claim.used());
    }

    @Override
    public void useNow(String instance, Claim claim, long calls, long nowMillis) {
        used += calls;
    }

    @Override
    public long left(Claim claim, List<Cell> before, long nowMillis) {
        if (claim.rule() instanceof Rule.Frame frame) {
            return nowMillis >= claim.key().end() ? 0 : frame.most() - used - weight(claim, before, nowMillis);
        }
        return ((Rule.Total) claim.rule()).cap() - used;
    }

    private static long weight(Claim claim, List<Cell> before, long nowMillis) {
        long whole = 0;
        for (int i = 0; i < before.size() - 1; i++) {
            whole += count(before.get(i), nowMillis);
        }
        long start = claim.key().start();
        long length = claim.key().end() - start;
        return SlidingWindow.weightOfPast(
                whole, count(before.get(before.size() - 1), nowMillis), nowMillis - start, length);
    }

    /** What was used of a frame, or is held and may still be used. */
    private static long count(Cell frame, long nowMillis) {
        return frame.total(nowMillis) + frame.heldAt(nowMillis);
    }

    @Override
    public long total(long nowMillis) {
        return used;
    }

    @Override
    public List<Long> details(List<Cell> before, long nowMillis) {
        return before.stream().map(frame -> count(frame, nowMillis)).toList();
    }
}
