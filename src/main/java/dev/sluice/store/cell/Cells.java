package dev.sluice.store.cell;

import dev.sluice.exchange.Batch.Rule;
import org.jspecify.annotations.Nullable;

/** Makes cells: of the first claim for a counter, and of what a store kept. */
public final class Cells {

    private Cells() {}

    /** What is born by the first claim for a counter. */
    public static Cell of(Rule rule) {
        if (rule instanceof Rule.Bucket flow) {
            return new BucketCell(flow);
        }
        if (rule instanceof Rule.Logged) {
            return new LogCell();
        }
        return rule instanceof Rule.Leased ? new PlacesCell() : new TotalCell(0);
    }

    /** The same again as one that had this state. */
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

    /** This, if it counts the calls of a frame; else a frame in which nobody has called. */
    public static Cell frame(@Nullable Cell cell) {
        return cell instanceof TotalCell ? cell : new TotalCell(0);
    }
}
