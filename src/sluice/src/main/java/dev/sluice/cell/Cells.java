package dev.sluice.cell;

import dev.sluice.exchange.Batch.Rule;
import org.jspecify.annotations.Nullable;

/** Creates a {@link Cell}, either for the first statement about a counter or from a stored state. Thread-safe. */
public final class Cells {

    private Cells() {}

    /** Creates an empty cell that counts by the given rule, for the first statement about a counter. */
    public static Cell of(Rule rule) {
        if (rule instanceof Rule.Bucket flow) {
            return new BucketCell(flow);
        }
        if (rule instanceof Rule.Log) {
            return new LogCell();
        }
        return rule instanceof Rule.Slots ? new SlotsCell() : new TotalCell(0, 0);
    }

    /** Restores a cell from a stored state, as returned by {@link Cell#state}. */
    public static Cell of(CellState state) {
        Cell cell = withContents(state.contents());
        cell.restore(state);
        return cell;
    }

    private static Cell withContents(CellState.Contents contents) {
        if (contents instanceof CellState.Bucket flow) {
            return new BucketCell(flow);
        }
        if (contents instanceof CellState.Log log) {
            return new LogCell(log);
        }
        return contents instanceof CellState.Slots slots ? new SlotsCell(slots) : total((CellState.Total) contents);
    }

    private static Cell total(CellState.Total total) {
        return new TotalCell(total.used(), total.given());
    }

    /**
     * Returns the given cell if it counts a frame, or otherwise an empty frame. Use this method for earlier frames,
     * because the store might not contain them.
     */
    public static Cell frame(@Nullable Cell cell) {
        return cell instanceof TotalCell ? cell : new TotalCell(0, 0);
    }
}
