package dev.sluice.internal.store.mongo.connection;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoClientException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcernResult;
import com.mongodb.bulk.WriteConcernError;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What is said of a MongoDB that cannot be used: a sentence that names it, and shows no secret. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("store")
class MongoFailureTest {

    private static final ServerAddress SERVER = new ServerAddress("db1", 27017);

    private static StoreException troubleOf(String uri) {
        try (CounterStore store = CounterStores.open(uri)) {
            StoreException trouble =
                    catchThrowableOfType(StoreException.class, () -> exchange(store, batch(unique(), 1)));
            assertThat(trouble.temporary()).isTrue();
            return trouble;
        }
    }

    private static String sentence(Throwable failure) {
        String prefix = "mongodb://db1/counts ";
        StoreException trouble = MongoFailure.of(
                failure,
                Objects.requireNonNull(MongoAddressParser.parse("mongodb://ann:hunter2@db1/counts")),
                Duration.ofMillis(700));
        assertThat(trouble.temporary()).isTrue();
        assertThat(trouble).hasMessageStartingWith(prefix).hasMessageNotContaining("hunter2");
        return trouble.getMessage().substring(prefix.length());
    }

    private static BsonDocument answer(int code, String name, String message) {
        return BsonDocument.parse("{ ok: 0, code: " + code + ", codeName: '" + name + "', errmsg: '" + message + "' }");
    }

    @Test
    void nobodyListensThere() {
        InetSocketAddress place;
        try (MongoServerInProcess gone = MongoServerInProcess.open()) {
            place = gone.stop();
        }
        String uri = "mongodb://127.0.0.1:" + place.getPort();
        assertThat(troubleOf(uri + "/?timeoutMS=3000")).hasMessage(uri + " cannot be reached: Connection refused");
    }

    @Test
    void theHostIsNotKnown() {
        assertThat(troubleOf("mongodb://no-such-host.invalid/?timeoutMS=3000"))
                .hasMessageStartingWith("mongodb://no-such-host.invalid cannot be reached: ")
                .hasMessageContaining("no-such-host.invalid");
    }

    @Test
    void theUserIsRefused() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open()) {
            assertThat(troubleOf("mongodb://ann:hunter2@127.0.0.1:" + mongo.port() + "/?timeoutMS=3000"))
                    .hasMessage("mongodb://127.0.0.1:" + mongo.port()
                            + " does not accept the user or the password of the store uri");
        }
    }

    /** The driver stays with the one host that it was told, also when that is a secondary. */
    @Test
    void aMemberThatIsNotThePrimaryIsNotAsked() {
        try (MongoServerInProcess mongo = MongoServerInProcess.open()) {
            mongo.greet("ismaster", false);
            assertThat(troubleOf(mongo.uri() + "?timeoutMS=3000"))
                    .hasMessage("mongodb://127.0.0.1:" + mongo.port() + " is not the primary, so its counts might be "
                            + "out of date; add replicaSet or several members to the uri, so that the driver "
                            + "finds the primary");
        }
    }

    @Test
    void whatTheDriverSaysBecomesASentence() {
        assertThat(sentence(new TimeoutException())).isEqualTo("did not answer in time: 700 ms");
        assertThat(sentence(new CompletionException(new TimeoutException())))
                .isEqualTo("did not answer in time: 700 ms");
        assertThat(sentence(new MongoNotPrimaryException(answer(10107, "NotWritablePrimary", "not primary"), SERVER)))
                .isEqualTo("has no primary at the moment, or its primary has changed");
        assertThat(sentence(new MongoSocketReadException("Prematurely reached end of stream", SERVER)))
                .isEqualTo("closed the connection before replying");
        assertThat(sentence(new MongoTimeoutException("Timed out while waiting for a server that matches")))
                .isEqualTo("cannot be reached: found no server that accepts writes");
        assertThat(sentence(new MongoCommandException(answer(13, "Unauthorized", "not authorized on counts"), SERVER)))
                .isEqualTo("does not grant the user the readWrite role on its database, which Sluice needs");
        assertThat(sentence(new MongoWriteConcernException(
                        new WriteConcernError(
                                64, "WriteConcernTimeout", "waiting for replication timed out", new BsonDocument()),
                        WriteConcernResult.unacknowledged(),
                        SERVER,
                        java.util.Set.of())))
                .isEqualTo("did not confirm in time that enough members have stored the counts");
        assertThat(sentence(new MongoCommandException(
                        answer(39, "OutOfDiskSpace", "no space left\\\\n second line"), SERVER)))
                .startsWith("failed: OutOfDiskSpace no space left");
        assertThat(sentence(new MongoClientException("something else"))).isEqualTo("failed: something else");
    }
}
