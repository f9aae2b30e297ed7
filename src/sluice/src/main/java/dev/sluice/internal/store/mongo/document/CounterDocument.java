package dev.sluice.internal.store.mongo.document;

import dev.sluice.CounterKey;
import dev.sluice.cell.Cell;
import dev.sluice.cell.CellState;
import dev.sluice.cell.Cells;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.TimeToLive;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The document of one counter. It contains all windows of the counter, because a sliding window and its earlier frames
 * must change together, and MongoDB only writes single documents atomically. For each instance that has changed the
 * counter, the document also contains the grants for that instance's last batch. If the reply to that batch is lost and
 * the instance resends it, the counter repeats these grants instead of counting twice. The document drops old grants,
 * and records the time of the most recent grants that it has dropped. It rejects batches that were created before that
 * time. Not thread-safe.
 */
public final class CounterDocument {

    static final String ID = "_id";
    static final String VERSION = "version";
    static final String EXPIRE = "expire";

    private static final String COUNTS = "requestCounters";
    private static final String WINDOWS = "windows";
    private static final String SENDERS = "senders";
    private static final String FORGOTTEN = "forgotten";

    /** The maximum number of replies older than a minute that the document retains. */
    private static final int MOST_OLD_ANSWERS = 32;

    private final String id;
    private final @Nullable Object versionFound;
    private final boolean isFound;
    /** The windows by start time. */
    private final TreeMap<Long, Cell> cells = new TreeMap<>();

    private final Map<String, CounterAnswer> answers = new LinkedHashMap<>();
    /** The time of the most recent reply that the document has dropped. */
    private long forgottenMillis;

    private boolean changed;

    private CounterDocument(String id, boolean isFound, @Nullable Object versionFound) {
        this.id = id;
        this.isFound = isFound;
        this.versionFound = versionFound;
    }

    /** The id of the document. All windows of a counter have the same id, and no other counter shares it. */
    public static String id(CounterKey key) {
        return key.identity() + ':' + (key.end() - key.start());
    }

    /** Creates a counter that does not have a document yet. */
    static CounterDocument absent(String id) {
        return new CounterDocument(id, false, null);
    }

    /**
     * Reads a document, skipping expired windows. If the content is malformed, the counter is treated as empty, and the
     * next write replaces the document. Otherwise, a single damaged document would make every batch with this counter
     * fail.
     */
    public static CounterDocument of(Document found, long nowMillis) {
        String id = DocumentFields.text(found, ID);
        CounterDocument counter = new CounterDocument(id, true, found.get(VERSION));
        try {
            counter.read(found, nowMillis);
            return counter;
        } catch (RuntimeException e) {
            return new CounterDocument(id, true, found.get(VERSION));
        }
    }

    private void read(Document found, long nowMillis) {
        Document counts = DocumentFields.part(found, COUNTS);
        for (Map.Entry<String, Object> entry :
                DocumentFields.part(found, WINDOWS).entrySet()) {
            if (!(entry.getValue() instanceof Document window)) {
                throw new IllegalArgumentException("not a window");
            }
            if (WindowDocument.expiresAtMillis(window) > nowMillis) {
                Object used = counts.get(entry.getKey());
                cells.put(
                        Long.parseLong(entry.getKey()),
                        Cells.of(WindowDocument.read(window, used == null ? null : DocumentFields.number(used))));
            }
        }
        for (String sender : DocumentFields.list(found, SENDERS, String.class)) {
            CounterAnswer last = CounterAnswer.of(sender);
            answers.put(last.instance(), last);
        }
        forgottenMillis = DocumentFields.number(found, FORGOTTEN);
    }

    /** The last reply to the sender of a batch; {@code null} if there is none. */
    @Nullable CounterAnswer lastAnswer(Batch batch) {
        return answers.get(batch.instance());
    }

    /** Whether a batch is so old that the counter might have applied it and then dropped the reply. */
    boolean mayHaveForgotten(Batch batch) {
        return !answers.containsKey(batch.instance()) && TimeToLive.mayHaveBeenAppliedBy(batch, forgottenMillis);
    }

    /** Drops the oldest replies if there are too many of them. */
    private void forgetAnswers(long nowMillis) {
        long old = nowMillis - TimeToLive.USUAL.answer().toMillis();
        List<CounterAnswer> oldFirst = answers.values().stream()
                .filter(answer -> answer.appliedMillis() <= old)
                .sorted(Comparator.comparingLong(CounterAnswer::appliedMillis))
                .toList();
        for (CounterAnswer answer : oldFirst.subList(0, Math.max(0, oldFirst.size() - MOST_OLD_ANSWERS))) {
            answers.remove(answer.instance());
            forgottenMillis = Math.max(forgottenMillis, answer.appliedMillis());
        }
    }

    /** Applies statements to this counter, and returns the grants. */
    public List<Grant> apply(Batch batch, List<Statement> statements, ExchangeNews news, long nowMillis) {
        List<Grant> grants = statements.stream()
                .map(statement -> apply(batch, statement, news, nowMillis))
                .toList();
        if (changed) {
            answers.put(
                    batch.instance(),
                    new CounterAnswer(batch.instance(), batch.sequence(), nowMillis, statements, grants));
        }
        return grants;
    }

    private Grant apply(Batch batch, Statement statement, ExchangeNews news, long nowMillis) {
        List<Cell> before = statement.framesBefore().stream()
                .map(key -> Cells.frame(cells.get(key.start())))
                .toList();
        Cell known = cells.get(statement.key().start());
        Cell cell = known != null && known.counts(statement.rule()) ? known : Cells.of(statement.rule());
        CellState was = cell.state();
        Grant grant = cell.apply(batch, statement, before, news, nowMillis);
        if (!isSame(was, cell.state())) {
            // If a batch does not change any window, there is no need to write the document.
            cells.put(statement.key().start(), cell);
            changed = true;
        }
        return grant;
    }

    /**
     * Whether two states produce the same replies. Ignores the expiry time, because a different expiry time alone does
     * not justify a write.
     */
    private static boolean isSame(CellState one, CellState other) {
        return one.usedUp() == other.usedUp()
                && one.contents().equals(other.contents())
                && one.holdings().equals(other.holdings())
                && one.lapsed().equals(other.lapsed())
                && one.waiting().equals(other.waiting());
    }

    /** Whether statements have changed the counter, which means that the document must be written. */
    boolean isChanged() {
        return changed;
    }

    /**
     * The version that the stored document must still have for this document to replace it. If there was no document,
     * this is a version that no document has, so the write can only insert a document.
     */
    @Nullable Object versionFound() {
        return isFound ? versionFound : Versions.NONE;
    }

    /**
     * The document to write. It expires with its last window, but not before the time for resending batches has passed.
     */
    Document written(long nowMillis) {
        forgetAnswers(nowMillis);
        Document counts = new Document();
        Document windows = new Document();
        long expires = nowMillis + TimeToLive.USUAL.answer().toMillis();
        for (Map.Entry<Long, Cell> entry : cells.entrySet()) {
            CellState state = entry.getValue().state();
            String start = String.valueOf(entry.getKey());
            if (state.contents() instanceof CellState.Total total) {
                counts.append(start, total.used());
            }
            windows.append(start, WindowDocument.of(state));
            expires = Math.max(expires, state.expiresAtMillis());
        }
        Document written = new Document(ID, id)
                .append(VERSION, Versions.next(versionFound(), nowMillis))
                .append(EXPIRE, Instant.ofEpochMilli(expires))
                .append(COUNTS, counts)
                .append(WINDOWS, windows)
                .append(
                        SENDERS,
                        answers.values().stream().map(CounterAnswer::text).toList());
        return forgottenMillis == 0 ? written : written.append(FORGOTTEN, forgottenMillis);
    }

    /** The states of the windows, by start time. */
    public Map<Long, CellState> states() {
        Map<Long, CellState> states = new TreeMap<>();
        cells.forEach((start, cell) -> states.put(start, cell.state()));
        return states;
    }
}
