package dev.sluice.internal.store.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.NeverTwiceContract;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Documents that have expired are removed by the test, since the server in the process does not do it. */
@Tag("store")
class MongoNeverTwiceTest extends NeverTwiceContract {

    private static volatile Duration ahead = Duration.ZERO;
    private static MongoServerInProcess mongo;
    private static MongoClient client;

    @BeforeAll
    static void start() {
        mongo = MongoServerInProcess.openAt(new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.now().plus(ahead);
            }
        });
        client = MongoClients.create(mongo.uri());
    }

    @AfterAll
    static void stop() {
        client.close();
        mongo.close();
    }

    @Override
    protected CounterStore open() {
        return CounterStores.open(mongo.patientUri());
    }

    @Override
    protected long now() {
        return System.currentTimeMillis() + ahead.toMillis();
    }

    @Override
    protected void passes(Duration time) {
        ahead = ahead.plus(time);
        client.getDatabase("sluice")
                .getCollection("sluice.counters")
                .deleteMany(Filters.lte("expire", Instant.ofEpochMilli(now())));
    }

    @Override
    protected boolean remembersForEver() {
        return true;
    }
}
