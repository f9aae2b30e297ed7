package dev.sluice.internal.store.mongo.document;

import com.mongodb.MongoClientSettings;
import dev.sluice.cell.ExchangeNews;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.bson.RawBsonDocument;
import org.bson.codecs.DocumentCodec;

/**
 * The documents of the product, read and written as MongoDB keeps them, by a clock of the test's and without a server.
 * News arrive at once.
 */
public final class DocumentsInVirtualTime implements CounterStore {

    private static final DocumentCodec CODEC = new DocumentCodec(MongoClientSettings.getDefaultCodecRegistry());

    private final LongSupplier millis;
    private final Map<String, RawBsonDocument> documents = new HashMap<>();
    private final Map<String, Long> lastSequences = new HashMap<>();
    private final TreeMap<String, Long> alive = new TreeMap<>();
    private final Map<String, Consumer<News>> listeners = new HashMap<>();

    public DocumentsInVirtualTime(LongSupplier millis) {
        this.millis = millis;
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        long now = millis.getAsLong();
        long last = lastSequences.getOrDefault(batch.instance(), 0L);
        if (batch.sequence() < last) {
            return CompletableFuture.failedFuture(StoreException.stale("a later batch came before"));
        }
        lastSequences.put(batch.instance(), batch.sequence());
        Map<String, List<Integer>> byDocument = new LinkedHashMap<>();
        for (int i = 0; i < batch.statements().size(); i++) {
            String id = CounterDocument.id(batch.statements().get(i).key());
            byDocument.computeIfAbsent(id, any -> new ArrayList<>()).add(i);
        }
        Grant[] grants = new Grant[batch.statements().size()];
        long[] appliedMillis = {now};
        ExchangeNews news = new ExchangeNews();
        byDocument.forEach((id, indexes) -> {
            CounterDocument counter = counter(id, now);
            CounterAnswer before = counter.lastAnswer(batch);
            if (before != null && before.sequence() == batch.sequence()) {
                appliedMillis[0] = Math.min(appliedMillis[0], before.appliedMillis());
                indexes.forEach(index ->
                        grants[index] = before.of(batch.statements().get(index).key()));
                return;
            }
            List<Statement> statements =
                    indexes.stream().map(batch.statements()::get).toList();
            List<Grant> granted = counter.apply(batch, statements, news, now);
            for (int i = 0; i < granted.size(); i++) {
                grants[indexes.get(i)] = granted.get(i);
            }
            if (counter.isChanged()) {
                documents.put(id, new RawBsonDocument(counter.written(now), CODEC));
            }
        });
        for (ExchangeNews.Told told : news.all()) {
            Map.copyOf(listeners).forEach((name, listener) -> {
                if (told.concerns(name, batch.instance())) {
                    listener.accept(told.news());
                }
            });
        }
        return CompletableFuture.completedFuture(
                new Batch.Reply(now, appliedMillis[0], Arrays.asList(grants), List.of(), fleet(batch, now)));
    }

    private CounterDocument counter(String id, long now) {
        RawBsonDocument found = documents.get(id);
        return found == null ? CounterDocument.absent(id) : CounterDocument.of(found.decode(CODEC), now);
    }

    private Batch.Fleet fleet(Batch batch, long now) {
        alive.put(batch.instance(), now);
        alive.values().removeIf(said -> said <= now - Batch.Fleet.LIFE.toMillis());
        return new Batch.Fleet(alive.size(), alive.headMap(batch.instance()).size());
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        listeners.put(instance, listener);
    }

    @Override
    public void close() {}
}
