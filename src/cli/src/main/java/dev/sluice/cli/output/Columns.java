package dev.sluice.cli.output;

import java.util.ArrayList;
import java.util.List;

/** Formats a table as text. */
public final class Columns {

    private final List<List<String>> rows = new ArrayList<>();

    public void row(String... cells) {
        row(List.of(cells));
    }

    public void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /**
     * Formats the rows of a table of figures. Each row is indented by the given number of spaces. The first column is
     * left-aligned, and the other columns are right-aligned.
     */
    public List<String> lines(int indent) {
        return lines(indent, false);
    }

    /** Formats the rows of a table of texts. All columns are left-aligned. */
    public List<String> textLines() {
        return lines(0, true);
    }

    private List<String> lines(int indent, boolean isText) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ".repeat(indent));
            for (int i = 0; i < row.size(); i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(i == 0 ? "" : "  ").append(i == 0 || isText ? row.get(i) + pad : pad + row.get(i));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
