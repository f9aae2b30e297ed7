package dev.sluice.internal.store.mongo.news;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.sluice.Eventually;
import dev.sluice.cell.ExchangeNews.Told;
import dev.sluice.exchange.CounterStore.News;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.mongo.connection.MongoAddressParser;
import dev.sluice.internal.store.mongo.connection.MongoLink;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How instances hear of each other: what {@code NewsContract} says of every store holds however the server tells. */
@Timeout(120)
@Tag("store")
class MongoNewsTest {

    private final Queue<News> heard = new ConcurrentLinkedQueue<>();

    private static MongoNews open(MongoServerInProcess mongo) {
        MongoLink link = MongoLink.open(Objects.requireNonNull(MongoAddressParser.parse(mongo.patientUri())));
        return new MongoNews(link);
    }

    private static Told recalled(String key) {
        return new Told(null, new News(Kind.RECALLED, Set.of(key)));
    }

    /** A server does not find it by its time, but pushes it as it does all others. */
    private static Document old(String key) {
        return NewsDocument.of("teller", List.of(recalled(key))).append(NewsDocument.AT, Instant.ofEpochMilli(1_000));
    }

    private boolean hasHeard(String key) {
        return heard.stream().anyMatch(one -> one.keys().contains(key));
    }

    /** Tells until it is heard: who has just begun to listen may miss something. */
    private void awaitHearing(MongoNews teller, String key) {
        Eventually.await("news of " + key, () -> {
            teller.publish("teller", List.of(recalled(key)));
            return hasHeard(key);
        });
    }

    @Test
    void aServerWithAnOplogPushesNews() {
        try (MongoServerInProcess mongo = MongoServerInProcess.openWithOplog();
                MongoNews teller = open(mongo);
                MongoNews listener = open(mongo);
                MongoClient client = MongoClients.create(mongo.uri())) {
            listener.subscribe("listener", heard::add);
            awaitHearing(teller, "first");
            news(client).insertOne(old("pushed"));
            Eventually.await("what only a push brings", () -> hasHeard("pushed"));
        }
    }

    @Test
    void anyOtherServerIsAskedForTheLatest() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                MongoNews teller = open(mongo);
                MongoNews listener = open(mongo);
                MongoClient client = MongoClients.create(mongo.uri())) {
            listener.subscribe("listener", heard::add);
            awaitHearing(teller, "first");
            news(client).insertOne(old("old"));
            awaitHearing(teller, "latest");
            assertThat(hasHeard("old")).isFalse();
        }
    }

    @Test
    void newsArePushedAgainWhenTheServerIsBack() {
        try (MongoServerInProcess mongo = MongoServerInProcess.openWithOplog();
                MongoNews teller = open(mongo);
                MongoNews listener = open(mongo)) {
            listener.subscribe("listener", heard::add);
            awaitHearing(teller, "before");
            var unused = mongo.stop();
            mongo.startEmpty();
            awaitHearing(teller, "after");
            try (MongoClient client = MongoClients.create(mongo.uri())) {
                Eventually.await("what only a push brings", () -> {
                    news(client).insertOne(old("pushed"));
                    return hasHeard("pushed");
                });
            }
        }
    }

    @Test
    void reportsEachOnce() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                MongoNews teller = open(mongo);
                MongoNews listener = open(mongo)) {
            listener.subscribe("listener", heard::add);
            awaitHearing(teller, "first");
            List<String> keys = IntStream.range(0, 50).mapToObj(i -> "key-" + i).toList();
            for (String key : keys) {
                teller.publish("teller", List.of(recalled(key)));
            }
            awaitHearing(teller, "last");
            Eventually.await("all of them", () -> keys.stream().allMatch(this::hasHeard));
            for (String key : keys) {
                assertThat(heard.stream().filter(one -> one.keys().contains(key)))
                        .as(key)
                        .hasSize(1);
            }
        }
    }

    /** So it stays small on a server whose index removes nothing, too. */
    @Test
    void whatIsOldIsRemovedByWhoeverToldIt() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open();
                MongoNews teller = open(mongo);
                MongoClient client = MongoClients.create(mongo.uri())) {
            teller.publish("teller", List.of(recalled("first")));
            Eventually.await("the first news", () -> news(client).countDocuments() == 1);
            Document first = Objects.requireNonNull(news(client).find().first());
            Eventually.await("them to be removed", () -> {
                teller.publish("teller", List.of(recalled("more")));
                return news(client).countDocuments(first) == 0;
            });
        }
    }

    private static MongoCollection<Document> news(MongoClient client) {
        return client.getDatabase("sluice").getCollection("sluice.news");
    }
}
