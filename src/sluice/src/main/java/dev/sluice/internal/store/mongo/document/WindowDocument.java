package dev.sluice.internal.store.mongo.document;

import dev.sluice.cell.CellState;
import dev.sluice.cell.CellState.Busy;
import dev.sluice.cell.CellState.Contents;
import dev.sluice.cell.CellState.Entry;
import dev.sluice.cell.CellState.Holding;
import dev.sluice.cell.CellState.Lapsed;
import dev.sluice.cell.CellState.Lease;
import dev.sluice.cell.CellState.Waiting;
import dev.sluice.internal.algorithm.BusyPeriods;
import dev.sluice.internal.algorithm.BusyPeriods.Before;
import dev.sluice.internal.algorithm.Gcra;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Converts one window of a counter's document to and from a subdocument. The subdocument contains the shares of
 * instances and the permits that calls have used. Only the count of a window or frame is stored elsewhere, in a
 * separate field of the counter's document.
 */
final class WindowDocument {

    private static final String EXPIRE = "expire";
    private static final String SPENT = "spent";
    private static final String GIVEN = "given";
    private static final String SHARES = "shares";
    private static final String LAPSED = "lapsed";
    private static final String WAITING = "waiting";
    private static final String BUCKET = "bucket";
    private static final String TOKEN = "token";
    private static final String MILLI = "milli";
    private static final String BEFORE = "before";
    private static final String PERIODS = "periods";
    private static final String LOG = "log";
    private static final String CALLERS = "instances";
    private static final String TIMES = "calls";
    private static final String LEASES = "leases";
    private static final String INSTANCE = "instance";
    private static final String PERMITS = "permits";
    private static final String LEAST = "least";
    private static final String UNTIL = "until";
    private static final String SINCE = "since";
    private static final String REPORTED = "reported";

    private WindowDocument() {}

    /**
     * Converts a state to a subdocument, without the count of a window or frame. Omits empty fields in order to keep
     * documents small.
     */
    static Document of(CellState state) {
        Document window = new Document(EXPIRE, Instant.ofEpochMilli(state.expiresAtMillis()));
        if (state.usedUp()) {
            window.append(SPENT, true);
        }
        if (!state.holdings().isEmpty()) {
            window.append(
                    SHARES,
                    state.holdings().stream()
                            .map(held -> new Document(INSTANCE, held.instance())
                                    .append(PERMITS, held.permits())
                                    .append(UNTIL, Instant.ofEpochMilli(held.untilMillis())))
                            .toList());
        }
        if (!state.lapsed().isEmpty()) {
            window.append(
                    LAPSED,
                    state.lapsed().stream()
                            .map(one -> new Document(INSTANCE, one.instance())
                                    .append(PERMITS, one.permits())
                                    .append(SINCE, Instant.ofEpochMilli(one.sinceMillis())))
                            .toList());
        }
        if (!state.waiting().isEmpty()) {
            window.append(
                    WAITING,
                    state.waiting().stream()
                            .map(one -> new Document(INSTANCE, one.instance())
                                    .append(PERMITS, one.permits())
                                    .append(LEAST, one.least())
                                    .append(UNTIL, Instant.ofEpochMilli(one.untilMillis())))
                            .toList());
        }
        add(state.contents(), window);
        return window;
    }

    private static void add(Contents contents, Document window) {
        if (contents instanceof CellState.Total total && total.given() > 0) {
            window.append(GIVEN, total.given());
        } else if (contents instanceof CellState.Bucket flow) {
            window.append(BUCKET, bucket(flow));
        } else if (contents instanceof CellState.Log log) {
            window.append(LOG, log(log));
        } else if (contents instanceof CellState.Slots slots) {
            window.append(
                    LEASES,
                    slots.leases().stream()
                            .map(lease -> new Document(INSTANCE, lease.instance())
                                    .append("slots", lease.slots())
                                    .append(REPORTED, Instant.ofEpochMilli(lease.asOfMillis()))
                                    .append(UNTIL, Instant.ofEpochMilli(lease.untilMillis())))
                            .toList());
        }
    }

    private static Document bucket(CellState.Bucket flow) {
        List<Long> periods = new ArrayList<>();
        for (Busy busy : flow.periods()) {
            periods.add(busy.startMillis());
            periods.add(busy.calls());
        }
        Document bucket = new Document(TOKEN, flow.gcra().token())
                .append(MILLI, flow.gcra().milli())
                .append("depth", flow.gcra().depth())
                .append("furthest", flow.gcra().furthest())
                .append(PERIODS, periods);
        Before before = flow.before();
        return before == null
                ? bucket
                : bucket.append(
                        BEFORE,
                        new Document(TOKEN, before.token())
                                .append(MILLI, before.milli())
                                .append(UNTIL, Instant.ofEpochMilli(before.untilMillis())));
    }

    /**
     * Converts a log to a list of numbers. Each entry has three numbers: its time, the position of its instance in the
     * list of names, and its number of calls. Instance names are long, so the document contains each name only once.
     */
    private static Document log(CellState.Log log) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        List<Long> calls = new ArrayList<>();
        for (Entry entry : log.entries()) {
            calls.add(entry.timeMillis());
            calls.add(numbers.computeIfAbsent(entry.instance(), name -> (long) numbers.size()));
            calls.add(entry.calls());
        }
        return new Document(CALLERS, List.copyOf(numbers.keySet())).append(TIMES, calls);
    }

    /** The time at which the window expires, in milliseconds since 1970. */
    static long expiresAtMillis(Document window) {
        return DocumentFields.time(window, EXPIRE);
    }

    /**
     * Reads the state of a window.
     *
     * @param used the separately stored count; {@code null} if there is none
     */
    static CellState read(Document window, @Nullable Long used) {
        List<Holding> holdings = DocumentFields.list(window, SHARES, Document.class).stream()
                .map(held -> new Holding(
                        DocumentFields.text(held, INSTANCE),
                        DocumentFields.number(held, PERMITS),
                        DocumentFields.time(held, UNTIL)))
                .toList();
        List<Lapsed> lapsed = DocumentFields.list(window, LAPSED, Document.class).stream()
                .map(one -> new Lapsed(
                        DocumentFields.text(one, INSTANCE),
                        DocumentFields.number(one, PERMITS),
                        DocumentFields.time(one, SINCE)))
                .toList();
        List<Waiting> waiting = DocumentFields.list(window, WAITING, Document.class).stream()
                .map(one -> new Waiting(
                        DocumentFields.text(one, INSTANCE),
                        DocumentFields.number(one, PERMITS),
                        DocumentFields.number(one, LEAST),
                        DocumentFields.time(one, UNTIL)))
                .toList();
        boolean usedUp = Boolean.TRUE.equals(window.get(SPENT));
        return new CellState(contents(window, used), holdings, lapsed, waiting, expiresAtMillis(window), usedUp);
    }

    private static Contents contents(Document window, @Nullable Long used) {
        if (window.containsKey(BUCKET)) {
            return flow(DocumentFields.part(window, BUCKET));
        }
        if (window.containsKey(LOG)) {
            return log(DocumentFields.part(window, LOG));
        }
        if (window.containsKey(LEASES)) {
            return new CellState.Slots(DocumentFields.list(window, LEASES, Document.class).stream()
                    .map(lease -> new Lease(
                            DocumentFields.text(lease, INSTANCE),
                            DocumentFields.number(lease, "slots"),
                            DocumentFields.time(lease, REPORTED),
                            DocumentFields.time(lease, UNTIL)))
                    .toList());
        }
        long given = window.containsKey(GIVEN) ? DocumentFields.number(window, GIVEN) : 0;
        return new CellState.Total(used == null ? 0 : used, Math.max(0, given));
    }

    private static CellState.Bucket flow(Document bucket) {
        Gcra gcra = new Gcra(
                DocumentFields.number(bucket, TOKEN),
                DocumentFields.number(bucket, MILLI),
                DocumentFields.number(bucket, "depth"),
                DocumentFields.number(bucket, "furthest"));
        if (gcra.token() < 1 || gcra.milli() < 1) {
            throw new IllegalArgumentException("not a bucket");
        }
        List<Long> numbers = DocumentFields.numbers(bucket, PERIODS);
        if (numbers.size() > 2 * BusyPeriods.MOST) {
            throw new IllegalArgumentException("more periods than a bucket can have");
        }
        List<Busy> periods = new ArrayList<>();
        for (int i = 0; i + 1 < numbers.size(); i += 2) {
            periods.add(new Busy(numbers.get(i), numbers.get(i + 1)));
        }
        return new CellState.Bucket(gcra, bucket.containsKey(BEFORE) ? before(bucket) : null, periods);
    }

    private static Before before(Document bucket) {
        Document before = DocumentFields.part(bucket, BEFORE);
        return new Before(
                Math.max(1, DocumentFields.number(before, TOKEN)),
                DocumentFields.number(before, MILLI),
                DocumentFields.time(before, UNTIL));
    }

    private static CellState.Log log(Document log) {
        List<String> names = log.getList(CALLERS, String.class, List.of());
        List<Long> numbers = DocumentFields.numbers(log, TIMES);
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i + 2 < numbers.size(); i += 3) {
            long name = numbers.get(i + 1);
            String instance = name >= 0 && name < names.size() ? names.get((int) name) : "";
            entries.add(new Entry(numbers.get(i), instance, numbers.get(i + 2)));
        }
        return new CellState.Log(entries);
    }
}
