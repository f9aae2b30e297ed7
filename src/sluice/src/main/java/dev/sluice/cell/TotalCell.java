package dev.sluice.cell;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.algorithm.SlidingWindow;
import java.util.List;

/** The counter of a window or frame. Not thread-safe. */
final class TotalCell extends Cell {
    private long used;
    /** The number of calls that operators have allowed beyond the limit. */
    private long given;

    TotalCell(long used, long given) {
        this.used = used;
        this.given = given;
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Total || rule instanceof Rule.Frame;
    }

    @Override
    CellState.Contents contents() {
        return new CellState.Total(used, given);
    }

    @Override
    public void use(Batch batch, Statement statement, long nowMillis) {
        used = Math.max(0, used + statement.used());
    }

    @Override
    long receive(Statement statement, long nowMillis) {
        given = statement.gift().after(given);
        return given;
    }

    @Override
    public void useNow(String instance, Statement statement, long calls, long nowMillis) {
        used += calls;
    }

    @Override
    void count(String instance, long calls, long atMillis, long nowMillis) {
        used = Math.max(0, used + calls);
    }

    @Override
    public long left(Statement statement, List<Cell> before, long nowMillis) {
        if (statement.rule() instanceof Rule.Frame frame) {
            return nowMillis >= statement.key().end()
                    ? 0
                    : frame.most() + given - used - weight(statement, before, nowMillis);
        }
        return ((Rule.Total) statement.rule()).cap() + given - used;
    }

    private static long weight(Statement statement, List<Cell> before, long nowMillis) {
        long whole = 0;
        for (int i = 0; i < before.size() - 1; i++) {
            whole += count(before.get(i), nowMillis);
        }
        long start = statement.key().start();
        long length = statement.key().end() - start;
        return SlidingWindow.weightOfPast(
                whole, count(before.get(before.size() - 1), nowMillis), nowMillis - start, length);
    }

    /** The number of used and held permits of a frame, minus the given calls. */
    private static long count(Cell frame, long nowMillis) {
        long held = frame.endLeasesAndSumHeld(nowMillis); // must come first, because an ended lease changes the total
        return frame.total(nowMillis) + held - ((TotalCell) frame).given;
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
