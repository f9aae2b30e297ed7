package dev.sluice.internal.store.mongo.admin;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import dev.sluice.CounterKey;
import dev.sluice.cell.CellState;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Presence;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.internal.store.admin.CounterNames;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import dev.sluice.internal.store.mongo.document.CounterDocument;
import dev.sluice.internal.store.mongo.document.CounterDocuments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.Document;

/**
 * Reads counter documents, either in id order or by id. Both ways use the id index, which every collection has.
 * Thread-safe.
 */
public final class MongoCounters implements LiveCounters {

    private static final int STEP = 500;
    /**
     * The position before all counters. Ids of documents that are not counters start with an exclamation mark, and the
     * quotation mark is the next character in ASCII.
     */
    private static final String BEFORE_ALL = "\"";

    private static final String NOBODY = "";

    private final MongoLink link;

    /** Creates a reader that uses the given link. {@link #close} also closes the link. */
    public MongoCounters(MongoLink link) {
        this.link = link;
    }

    /**
     * The position after the document with the given id. Unlike a number of documents to skip, this position remains
     * valid if documents are added or removed.
     */
    private record After(String id) implements Position {}

    @Override
    public CompletionStage<Long> nowMillis() {
        return use(counters -> link.nowMillis());
    }

    @Override
    public CompletionStage<Page> scan(Position from) {
        String after = from instanceof After known ? known.id() : BEFORE_ALL;
        return use(counters -> {
            List<CounterKey> keys = new ArrayList<>();
            String last = after;
            int number = 0;
            for (Document found : counters.find(Filters.gt("_id", after))
                    .sort(Sorts.ascending("_id"))
                    .limit(STEP)) {
                number++;
                last = String.valueOf(found.get("_id"));
                keys.addAll(keys(last, CounterDocument.of(found, link.nowMillis())));
            }
            return new Page(keys, number < STEP ? Optional.empty() : Optional.of(new After(last)));
        });
    }

    private static List<CounterKey> keys(String id, CounterDocument counter) {
        int colon = id.lastIndexOf(':');
        if (colon < 0 || !id.substring(colon + 1).matches("\\d{1,15}")) {
            return List.of();
        }
        long length = Long.parseLong(id.substring(colon + 1));
        return counter.states().keySet().stream()
                .flatMap(start -> CounterNames.of(id.substring(0, colon), start, start + length).stream())
                .toList();
    }

    @Override
    public CompletionStage<List<Look>> look(List<LiveCounter> counters, long nowMillis, boolean withHeld) {
        return use(documents -> {
            Set<String> ids = counters.stream()
                    .map(counter -> CounterDocument.id(counter.key()))
                    .collect(Collectors.toSet());
            Map<String, Document> found = new HashMap<>();
            documents.find(Filters.in("_id", ids)).forEach(one -> found.put(String.valueOf(one.get("_id")), one));
            return counters.stream()
                    .map(counter -> look(counter, found, nowMillis))
                    .toList();
        });
    }

    /**
     * The grant for a statement that neither reports calls nor requests permits, and the resulting state. The statement
     * is only applied to a copy in memory, so nothing is written to MongoDB.
     */
    private static Look look(LiveCounter counter, Map<String, Document> found, long nowMillis) {
        Document document = found.get(CounterDocument.id(counter.key()));
        if (document == null) {
            document = new Document("_id", CounterDocument.id(counter.key()));
        }
        Statement statement = new Statement(counter.key(), List.of(), 0, Need.NONE, 0, 0, asked(counter.rule()));
        Batch batch = new Batch(NOBODY, 0, nowMillis, List.of(statement), Presence.NOT_STATED, nowMillis);
        CounterDocument read = CounterDocument.of(document, nowMillis);
        Grant grant = read.apply(batch, List.of(statement), new ExchangeNews(), nowMillis)
                .get(0);
        // Applying the statement has also recorded the leases that have ended, in all frames.
        Map<Long, CellState> states = read.states();
        return new Look(
                grant,
                counter.keys()
                        .map(key -> states.get(key.start()))
                        .filter(Objects::nonNull)
                        .flatMap(state -> state.lapsed().stream())
                        .toList());
    }

    /**
     * The rule with which to read a counter. For a concurrency limit, only free slots count as held under this rule.
     */
    private static Rule asked(Rule rule) {
        return rule instanceof Rule.Slots slots ? new Rule.Slots(slots.most(), 0, 1, 0) : rule;
    }

    private <T> CompletionStage<T> use(Function<MongoCollection<Document>, T> work) {
        return link.use((MongoDatabase database) -> work.apply(database.getCollection(CounterDocuments.NAME)));
    }

    @Override
    public void close() {
        link.close();
    }
}
