package dev.sluice.store.cell;

import dev.sluice.exchange.Batch.Rule;
import org.jspecify.annotations.Nullable;

/** Creates cells, for the first statement of a counter, or from a stored state. */
public final class Cells {

    private Cells() {}

    /** The cell for the first statement of a counter. */
    public static Cell of(Rule rule) {
        if (rule instanceof Rule.Bucket flow) {
            return new BucketCell(flow);
        }
        if (rule instanceof Rule.Log) {
            return new LogCell();
        }
        return rule instanceof Rule.Places ? new PlacesCell() : new TotalCell(0);
    }

    /** The cell with this state. */
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
        return contents instanceof CellState.Places places
                ? new PlacesCell(places)
                : new TotalCell(((CellState.Total) contents).used());
    }

    /** This cell, if it counts a frame; otherwise an empty frame. */
    public static Cell frame(@Nullable Cell cell) {
        return cell instanceof TotalCell ? cell : new TotalCell(0);
    }
}
