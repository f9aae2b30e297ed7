package dev.sluice.internal.store.mongo.document;

import com.mongodb.client.MongoDatabase;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.document.CounterDocuments.Write;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * Applies one batch to the documents of its counters. Each round reads all documents with one query, applies the
 * statements in Java, and writes the changed documents with one bulk write. Each write requires that the document still
 * has the version that was read. If other instances have changed some documents in the meantime, another round for
 * these documents follows after a short random pause. A batch that does not change any counter normally requires no
 * writes. It does require them if an earlier attempt has applied part of the batch, if a write of an earlier attempt
 * could still take effect, or if the store has lost data. Not thread-safe.
 */
public final class MongoExchange {

    private static final int MOST_ROUNDS = 50;
    private static final long SHORTEST_PAUSE_NANOS = 500_000;
    private static final int MOST_DOUBLINGS = 5;

    private final MongoLink link;
    private final CounterDocuments counters;
    private final WrittenBatches written;
    private final UnconfirmedWrites.Attempt attempt;
    private final Batch batch;
    private final String recordId;

    /** The positions of each counter's statements in the batch, by document id. */
    private final Map<String, List<Integer>> indexes = new LinkedHashMap<>();

    private final Grant[] grants;
    private final List<ExchangeNews.Told> news = new ArrayList<>();
    private long appliedMillis = Long.MAX_VALUE;
    private @Nullable Loss loss;
    private boolean hasWritten;
    private boolean isRecorded;
    /** Whether an earlier attempt has applied at least part of the batch. */
    private boolean cameBefore;
    /** The server's time at the most recent read. */
    private long nowMillis;

    public MongoExchange(
            MongoLink link,
            MongoDatabase database,
            WrittenBatches written,
            UnconfirmedWrites unconfirmed,
            Batch batch) {
        this.link = link;
        this.counters = new CounterDocuments(database);
        this.written = written;
        this.attempt = unconfirmed.begin(batch.instance());
        this.batch = batch;
        this.recordId = SenderRecord.id(batch.instance());
        this.grants = new Grant[batch.statements().size()];
        for (int i = 0; i < grants.length; i++) {
            String id = CounterDocument.id(batch.statements().get(i).key());
            indexes.computeIfAbsent(id, any -> new ArrayList<>()).add(i);
        }
    }

    /**
     * Creates the index and the document that records the time of the first data. {@link #run} also creates them if
     * that document is missing, for example because the collection was dropped.
     */
    public void prepare() {
        counters.prepare(link.address(), link.nowMillis());
    }

    /** Applies the batch. Counters that an earlier attempt has already changed only repeat their grants. */
    public Batch.Reply run(long deadlineNanos) {
        Set<String> conflicts = new LinkedHashSet<>(indexes.keySet());
        // If a write of an earlier attempt has received no reply, the server could still apply it. Therefore, also
        // write the documents affected by such writes. This changes their versions, so that the late write no longer
        // matches.
        conflicts.addAll(attempt.ids());
        conflicts.add(recordId);
        for (int round = 0; !conflicts.isEmpty(); round++) {
            if (round >= MOST_ROUNDS || (round > 0 && System.nanoTime() - deadlineNanos >= 0)) {
                throw StoreException.conflict(link.address() + " could not write " + conflicts.size() + " counters in "
                        + round + " attempts, because other instances kept changing them");
            }
            if (round > 0) {
                pause(round);
            }
            conflicts = round(conflicts);
        }
        attempt.succeed();
        Fleet fleet = counters.attend(batch, nowMillis);
        long applied = Math.min(appliedMillis, nowMillis);
        List<Loss> losses = loss == null ? List.of() : List.of(loss);
        return new Batch.Reply(nowMillis, applied, Arrays.asList(grants), losses, fleet);
    }

    private static void pause(int round) {
        long most = SHORTEST_PAUSE_NANOS << Math.min(round, MOST_DOUBLINGS);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(most));
    }

    /**
     * Reads the documents, applies the batch to them, and writes them. Returns the ids of the documents that other
     * instances have changed in the meantime.
     */
    private Set<String> round(Set<String> ids) {
        Map<String, Document> found =
                counters.read(Stream.concat(ids.stream(), Stream.of(recordId, CounterDocuments.BIRTH))
                        .toList());
        // Read the time again in each round, because a long time can pass between rounds.
        nowMillis = link.nowMillis();
        Document recordFound = found.get(recordId);
        SenderRecord record = recordFound == null
                ? SenderRecord.absent(batch.instance())
                : SenderRecord.of(batch.instance(), recordFound, nowMillis);
        if (record.sequence() > batch.sequence()) {
            throw stale(record.sequence());
        }
        cameBefore |= record.sequence() == batch.sequence();
        loss = written.loss(batch, record, birthMillis(found.get(CounterDocuments.BIRTH)));

        Map<String, Change> changes = new LinkedHashMap<>();
        for (String id : ids) {
            if (!id.equals(recordId)) {
                apply(id, found.get(id), changes);
            }
        }
        List<Write> writes = new ArrayList<>();
        changes.values().forEach(change -> writes.add(change.write));
        // An earlier attempt might have applied part of the batch without confirmation from enough members. Once this
        // write of the record is confirmed, all earlier writes are also confirmed, because members replicate writes in
        // order.
        boolean isToBeRecorded = !isRecorded && (cameBefore || hasWritten || !writes.isEmpty() || loss != null);
        if (isToBeRecorded) {
            writes.add(new Write(record.written(batch, nowMillis), record.versionFound()));
        }
        return write(writes, changes);
    }

    /** A counter changed in a round, with the news to publish after the counter has been written. */
    private record Change(Write write, ExchangeNews news) {}

    private void apply(String id, @Nullable Document found, Map<String, Change> changes) {
        CounterDocument counter = found == null ? CounterDocument.absent(id) : CounterDocument.of(found, nowMillis);
        List<Integer> own = indexes.getOrDefault(id, List.of());
        CounterAnswer before = counter.lastAnswer(batch);
        if (before != null && before.sequence() > batch.sequence()) {
            throw stale(before.sequence());
        }
        if (before != null && before.sequence() == batch.sequence()) {
            // An earlier attempt has written this counter, but its reply was lost. Repeat its grants, because applying
            // the statements again would count twice.
            own.forEach(index ->
                    grants[index] = answerAgain(before, batch.statements().get(index)));
            appliedMillis = Math.min(appliedMillis, before.appliedMillis());
            cameBefore = true;
            if (link.isRouter()) { // the record could be on another shard and confirm nothing here
                changes.put(id, change(counter, new ExchangeNews()));
            }
            return;
        }
        if (!own.isEmpty() && counter.mayHaveForgotten(batch)) {
            throw StoreException.forgotten("batch " + batch.sequence()
                    + " of this instance is so old that it might have been applied and forgotten");
        }
        ExchangeNews newsHere = new ExchangeNews();
        List<Statement> statements = own.stream().map(batch.statements()::get).toList();
        List<Grant> granted = counter.apply(batch, statements, newsHere, nowMillis);
        for (int i = 0; i < own.size(); i++) {
            grants[own.get(i)] = granted.get(i);
        }
        if (counter.isChanged() || attempt.mayBeWrittenLate(id, counter.versionFound())) {
            changes.put(id, change(counter, newsHere));
        } else {
            // The document does not need to be written, so processing of this counter is complete.
            news.addAll(newsHere.all());
        }
    }

    private Change change(CounterDocument counter, ExchangeNews newsHere) {
        return new Change(new Write(counter.written(nowMillis), counter.versionFound()), newsHere);
    }

    private static Grant answerAgain(CounterAnswer before, Statement statement) {
        Grant again = before.of(statement.key());
        return again == null ? new Grant(0, 0, 0) : again;
    }

    private Set<String> write(List<Write> writes, Map<String, Change> changes) {
        if (writes.isEmpty()) {
            return Set.of();
        }
        attempt.send(writes); // before the write, because the server could apply it even if the reply is lost
        Set<String> conflicts = counters.write(writes);
        hasWritten |= conflicts.size() < writes.size();
        for (Write one : writes) {
            Change change = changes.get(one.id());
            if (conflicts.contains(one.id())) {
                continue;
            }
            if (change == null) {
                isRecorded = true;
            } else {
                news.addAll(change.news.all());
            }
        }
        if (isRecorded && conflicts.isEmpty()) {
            written.add(batch, nowMillis, loss);
        }
        return conflicts;
    }

    private long birthMillis(@Nullable Document birth) {
        if (birth != null) {
            return CounterDocuments.birthMillis(birth);
        }
        return counters.prepare(link.address(), nowMillis);
    }

    private StoreException stale(long later) {
        return StoreException.stale("batch " + batch.sequence() + " of this instance arrived after batch " + later
                + " and was not applied");
    }

    /** The news that the batch causes for other instances. */
    public Collection<ExchangeNews.Told> news() {
        return news;
    }
}
