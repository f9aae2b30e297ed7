package dev.sluice.cell;

import dev.sluice.cell.CellState.Busy;
import dev.sluice.cell.CellState.Contents;
import dev.sluice.cell.CellState.Entry;
import dev.sluice.cell.CellState.Holding;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.cell.CellState.Lease;
import dev.sluice.cell.CellState.Waiting;
import dev.sluice.internal.algorithm.BusyPeriods.Before;
import dev.sluice.internal.algorithm.Gcra;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Converts a {@link Cell} to text and back, for stores whose values are strings:
 *
 * <pre>{@code
 * String stored = CellText.of(cell);
 * Cell again = CellText.read(stored);
 * }</pre>
 *
 * <p>The first line contains the permits that calls have used. The second line contains the expiry time and states
 * whether the limit is used up. Each further line describes one instance. A line without a mark contains the permits
 * that the instance holds. A line with an exclamation mark contains the permits that the instance held when its lease
 * ended. A line with a question mark contains the permits that the instance's waiting calls need. Thread-safe.
 * Arguments must not be {@code null}.
 */
public final class CellText {

    private static final String TOTAL = "total";
    private static final String BUCKET = "bucket";
    private static final String LOG = "log";
    private static final String SLOTS = "slots";
    private static final String LAPSED = "!";
    private static final String WAITS = "?";
    /** Marks the refill rate that a bucket had before its figures changed. */
    private static final String BEFORE = "before";

    private CellText() {}

    /** Converts a cell to text. */
    public static String of(Cell cell) {
        CellState state = cell.state();
        StringBuilder text = new StringBuilder();
        append(text, state.contents());
        text.append('\n').append(state.expiresAtMillis()).append(' ').append(state.usedUp() ? 1 : 0);
        for (Holding holding : state.holdings()) {
            text.append('\n').append(word(holding.instance()));
            numbers(text, holding.permits(), holding.untilMillis());
        }
        for (Lapsed one : state.lapsed()) {
            text.append('\n').append(LAPSED).append(word(one.instance()));
            numbers(text, one.permits(), one.sinceMillis());
        }
        for (Waiting one : state.waiting()) {
            text.append('\n').append(WAITS).append(word(one.instance()));
            numbers(text, one.permits(), one.least(), one.untilMillis());
        }
        return text.toString();
    }

    /**
     * Restores a cell from text.
     *
     * @throws IllegalArgumentException if the text was not written by {@link #of}
     */
    public static Cell read(String written) {
        try {
            String[] lines = written.split("\n", -1);
            Iterator<String> remaining = words(lines[1]);
            long expiresAtMillis = number(remaining);
            boolean usedUp = number(remaining) != 0;
            List<Holding> holdings = new ArrayList<>();
            List<Lapsed> lapsed = new ArrayList<>();
            List<Waiting> waiting = new ArrayList<>();
            for (String text : List.of(lines).subList(2, lines.length)) {
                boolean isLapsed = text.startsWith(LAPSED);
                boolean waits = text.startsWith(WAITS);
                Iterator<String> line = words(isLapsed || waits ? text.substring(1) : text);
                String instance = word(line);
                if (waits) {
                    waiting.add(new Waiting(instance, number(line), number(line), number(line)));
                } else if (isLapsed) {
                    lapsed.add(new Lapsed(instance, number(line), number(line)));
                } else {
                    holdings.add(new Holding(instance, number(line), number(line)));
                }
            }
            Contents contents = contents(words(lines[0]));
            return Cells.of(new CellState(contents, holdings, lapsed, waiting, expiresAtMillis, usedUp));
        } catch (IndexOutOfBoundsException | NoSuchElementException e) {
            throw new IllegalArgumentException("this is not the text of a cell, because it is truncated", e);
        }
    }

    private static void append(StringBuilder text, Contents contents) {
        if (contents instanceof CellState.Total total) {
            text.append(TOTAL);
            numbers(text, total.used());
            if (total.given() > 0) {
                numbers(text, total.given());
            }
        } else if (contents instanceof CellState.Bucket bucket) {
            Gcra gcra = bucket.gcra();
            text.append(BUCKET);
            numbers(text, gcra.token(), gcra.milli(), gcra.depth(), gcra.furthest());
            if (bucket.before() != null) {
                text.append(' ').append(BEFORE);
                numbers(
                        text,
                        bucket.before().token(),
                        bucket.before().milli(),
                        bucket.before().untilMillis());
            }
            bucket.periods().forEach(busy -> numbers(text, busy.startMillis(), busy.calls()));
        } else if (contents instanceof CellState.Log log) {
            text.append(LOG);
            for (Entry entry : log.entries()) {
                numbers(text, entry.timeMillis());
                text.append(' ').append(word(entry.instance()));
                numbers(text, entry.calls());
            }
        } else if (contents instanceof CellState.Slots slots) {
            text.append(SLOTS);
            for (Lease lease : slots.leases()) {
                text.append(' ').append(word(lease.instance()));
                numbers(text, lease.slots(), lease.asOfMillis(), lease.untilMillis());
            }
        }
    }

    private static Contents contents(Iterator<String> words) {
        String kind = word(words);
        return switch (kind) {
            case TOTAL -> new CellState.Total(number(words), words.hasNext() ? number(words) : 0);
            case BUCKET -> bucket(words);
            case LOG -> log(words);
            case SLOTS -> slots(words);
            default -> throw new IllegalArgumentException("this is not the text of a cell: \"" + kind + '"');
        };
    }

    private static Contents bucket(Iterator<String> words) {
        Gcra gcra = new Gcra(number(words), number(words), number(words), number(words));
        Before before = null;
        List<Busy> periods = new ArrayList<>();
        while (words.hasNext()) {
            String next = word(words);
            if (next.equals(BEFORE)) {
                before = new Before(number(words), number(words), number(words));
            } else {
                periods.add(new Busy(Long.parseLong(next), number(words)));
            }
        }
        return new CellState.Bucket(gcra, before, periods);
    }

    private static Contents log(Iterator<String> words) {
        List<Entry> entries = new ArrayList<>();
        while (words.hasNext()) {
            entries.add(new Entry(number(words), word(words), number(words)));
        }
        return new CellState.Log(entries);
    }

    private static Contents slots(Iterator<String> words) {
        List<Lease> leases = new ArrayList<>();
        while (words.hasNext()) {
            leases.add(new Lease(word(words), number(words), number(words), number(words)));
        }
        return new CellState.Slots(leases);
    }

    private static Iterator<String> words(String line) {
        return List.of(line.split(" ", -1)).iterator();
    }

    private static long number(Iterator<String> words) {
        return Long.parseLong(words.next());
    }

    private static String word(Iterator<String> words) {
        String word = words.next();
        return word.startsWith("=") ? URLDecoder.decode(word.substring(1), StandardCharsets.UTF_8) : word;
    }

    private static void numbers(StringBuilder text, long... numbers) {
        for (long number : numbers) {
            text.append(' ').append(number);
        }
    }

    /** Encodes a name as a single word. The word contains no spaces or line breaks, and is never empty. */
    private static String word(String name) {
        return '=' + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
