package dev.sluice.store.cell;

import dev.sluice.algorithm.Gcra;
import dev.sluice.store.cell.CellState.Busy;
import dev.sluice.store.cell.CellState.Contents;
import dev.sluice.store.cell.CellState.Entry;
import dev.sluice.store.cell.CellState.Holding;
import dev.sluice.store.cell.CellState.Lease;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a {@link Cell} as text, for stores that keep text. The first line has what was used, the second the other
 * state, and each further line what one instance holds.
 */
public final class CellText {

    private static final String TOTAL = "total";
    private static final String BUCKET = "bucket";
    private static final String LOG = "log";
    private static final String PLACES = "places";

    private CellText() {}

    /** The text of a cell. */
    public static String of(Cell cell) {
        CellState state = cell.state();
        StringBuilder text = new StringBuilder();
        append(text, state.contents());
        text.append('\n').append(state.expiresAtMillis()).append(' ').append(state.usedUp() ? 1 : 0);
        for (Holding holding : state.holdings()) {
            text.append('\n').append(word(holding.instance()));
            numbers(text, holding.permits(), holding.untilMillis());
        }
        return text.toString();
    }

    /**
     * Reads a cell.
     *
     * @throws IllegalArgumentException if {@link #of} did not write the text
     */
    public static Cell read(String text) {
        try {
            String[] lines = text.split("\n", -1);
            Tokens rest = new Tokens(lines[1]);
            long expiresAtMillis = rest.number();
            boolean usedUp = rest.number() != 0;
            List<Holding> holdings = new ArrayList<>();
            for (int i = 2; i < lines.length; i++) {
                Tokens line = new Tokens(lines[i]);
                holdings.add(new Holding(line.word(), line.number(), line.number()));
            }
            return Cells.of(new CellState(contents(new Tokens(lines[0])), holdings, expiresAtMillis, usedUp));
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("not the text of a cell: it ends too soon", e);
        }
    }

    private static void append(StringBuilder text, Contents contents) {
        if (contents instanceof CellState.Total total) {
            text.append(TOTAL);
            numbers(text, total.used());
        } else if (contents instanceof CellState.Bucket bucket) {
            Gcra gcra = bucket.gcra();
            text.append(BUCKET);
            numbers(text, gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
            bucket.periods().forEach(busy -> numbers(text, busy.startMillis(), busy.calls()));
        } else if (contents instanceof CellState.Log log) {
            text.append(LOG);
            for (Entry entry : log.entries()) {
                numbers(text, entry.timeMillis());
                text.append(' ').append(word(entry.instance()));
            }
        } else if (contents instanceof CellState.Places places) {
            text.append(PLACES);
            for (Lease lease : places.leases()) {
                text.append(' ').append(word(lease.instance()));
                numbers(text, lease.places(), lease.countedMillis(), lease.untilMillis());
            }
        }
    }

    private static Contents contents(Tokens words) {
        String kind = words.word();
        return switch (kind) {
            case TOTAL -> new CellState.Total(words.number());
            case BUCKET -> bucket(words);
            case LOG -> log(words);
            case PLACES -> places(words);
            default -> throw new IllegalArgumentException("not the text of a cell: \"" + kind + '"');
        };
    }

    private static Contents bucket(Tokens words) {
        Gcra gcra = new Gcra(words.number(), words.number(), words.number(), words.number());
        List<Busy> periods = new ArrayList<>();
        while (words.hasMore()) {
            periods.add(new Busy(words.number(), words.number()));
        }
        return new CellState.Bucket(gcra, periods);
    }

    private static Contents log(Tokens words) {
        List<Entry> entries = new ArrayList<>();
        while (words.hasMore()) {
            entries.add(new Entry(words.number(), words.word()));
        }
        return new CellState.Log(entries);
    }

    private static Contents places(Tokens words) {
        List<Lease> leases = new ArrayList<>();
        while (words.hasMore()) {
            leases.add(new Lease(words.word(), words.number(), words.number(), words.number()));
        }
        return new CellState.Places(leases);
    }

    private static void numbers(StringBuilder text, long... numbers) {
        for (long number : numbers) {
            text.append(' ').append(number);
        }
    }

    /** A name without spaces and line breaks, which is never empty. */
    private static String word(String name) {
        return '=' + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    /** The words of one line, in turn. */
    private static final class Tokens {

        private final String[] all;
        private int next;

        Tokens(String line) {
            all = line.split(" ", -1);
        }

        boolean hasMore() {
            return next < all.length;
        }

        long number() {
            return Long.parseLong(all[next++]);
        }

        String word() {
            String word = all[next++];
            return word.startsWith("=") ? URLDecoder.decode(word.substring(1), StandardCharsets.UTF_8) : word;
        }
    }
}
