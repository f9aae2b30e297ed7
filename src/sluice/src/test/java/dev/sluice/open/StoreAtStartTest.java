package dev.sluice.open;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.Decision.Outcome;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.store.memory.InMemoryCounterStore;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that does not answer at the start stops it, if the file says so. */
@Timeout(60)
@Tag("store")
class StoreAtStartTest {

    private static final String WHAT_TO_DO =
            ", so the limiter does not start. Check the store and store.uri, or write onStart: go-on to start "
                    + "without the store";

    private static Sluice open(String uri, String onStart) {
        return Sluice.builder()
                .config(GivenFile.with("store: { uri: \"" + uri + "\", onStart: " + onStart + " }"))
                .open();
    }

    /** Answers from a certain exchange on. */
    private static final class LateStore implements CounterStore {

        private final CounterStore memory = new InMemoryCounterStore(InstantSource.system(), 100);
        private final AtomicInteger asked = new AtomicInteger();
        private final int refused;
        private boolean closed;

        LateStore(int refused) {
            this.refused = refused;
        }

        @Override
        public CompletionStage<Batch.Reply> exchange(Batch batch) {
            return asked.getAndIncrement() < refused
                    ? CompletableFuture.failedFuture(StoreException.unavailable("ours is not there", null))
                    : memory.exchange(batch);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Sluice open(CounterStore store, String onStart) {
        return Sluice.builder()
                .config(GivenFile.with("store: { onStart: " + onStart + " }"))
                .store(store)
                .open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "wait 10ms"})
    void failsWhereNobodyListens(String onStart) {
        String address = "redis://127.0.0.1:" + RedisServer.freePort();
        assertThatThrownBy(() -> open(address, onStart))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("the store does not respond (" + address + " cannot be reached: ")
                .hasMessageEndingWith("), and limits.yml sets store.onStart: " + onStart + WHAT_TO_DO);
    }

    @Test
    void failsWithAMongoThatNobodyServesOrThatKnowsNoSuchUser() {
        String absent = "mongodb://127.0.0.1:" + RedisServer.freePort();
        assertThatThrownBy(() -> open(absent + "/?timeoutMS=3000", "fail"))
                .isInstanceOf(StoreException.class)
                .hasMessage("the store does not respond (" + absent
                        + " cannot be reached: Connection refused), and limits.yml sets store.onStart: fail"
                        + WHAT_TO_DO);
        try (MongoServerInProcess mongo = MongoServerInProcess.open()) {
            String address = "mongodb://127.0.0.1:" + mongo.port();
            assertThatThrownBy(() -> open(address.replace("//", "//ann:hunter2@") + "/?timeoutMS=3000", "fail"))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("the store does not respond (" + address
                            + " does not accept the user or the password of the store uri), and limits.yml sets "
                            + "store.onStart: fail" + WHAT_TO_DO);
            try (Sluice limits = open(mongo.patientUri(), "wait 20s")) {
                assertThat(limits.decide(TestCall.get("/product/1")).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }
    }

    @Test
    void failsWithAWrongPasswordThatIsNotTold() {
        try (RedisServer redis = RedisServer.open("--requirepass", "right")) {
            String address = "redis://127.0.0.1:" + redis.port();
            assertThatThrownBy(() -> open(address.replace("//", "//:hunter2@"), "fail"))
                    .isInstanceOf(StoreException.class)
                    .hasMessage("the store does not respond (" + address
                            + " does not accept the user or the password of the store uri), and limits.yml sets "
                            + "store.onStart: fail" + WHAT_TO_DO);
            assertThatThrownBy(() -> open(address, "fail")).hasMessageContaining(" requires a password");
            try (Sluice limits = open(address.replace("//", "//:right@"), "fail")) {
                assertThat(limits.decide(TestCall.get("/product/1")).outcome()).isEqualTo(Outcome.ADMITTED);
            }
        }
    }

    @Test
    void waitsForAListenerThatComesLate() throws Exception {
        int port = RedisServer.freePort();
        CompletableFuture<Sluice> opening =
                CompletableFuture.supplyAsync(() -> open("redis://127.0.0.1:" + port, "wait 50s"));
        assertThatThrownBy(() -> opening.get(1500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        try (RedisServer redis = RedisServer.openOn(port);
                Sluice limits = opening.get(40, TimeUnit.SECONDS)) {
            assertThat(limits.decide(TestCall.get("/product/1")).outcome()).isEqualTo(Outcome.ADMITTED);
            assertThat(redis.call("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void asksAgainUntilThereIsAnAnswer() {
        LateStore store = new LateStore(3);
        try (Sluice limits = open(store, "wait 20s")) {
            assertThat(store.asked).hasValueGreaterThan(3);
            assertThat(limits.decide(TestCall.get("/product/1")).outcome()).isEqualTo(Outcome.ADMITTED);
        }
        assertThat(store.closed).isTrue();
    }

    @Test
    void leavesAnApplicationsOwnStoreOpen() {
        LateStore store = new LateStore(Integer.MAX_VALUE);
        assertThatThrownBy(() -> open(store, "fail"))
                .hasMessageStartingWith("the store does not respond (ours is not there), and ");
        assertThat(store.closed).isFalse();
    }

    @Test
    void needsNoStoreIfTheFileNamesNone() {
        try (Sluice limits = open("memory:", "fail")) {
            assertThat(limits.decide(TestCall.get("/product/1")).outcome()).isEqualTo(Outcome.ADMITTED);
        }
    }

    /** How often this user was refused the key of the limits of clients. */
    private static long refusedLimits(RedisServer redis) {
        return ((List<?>) redis.call("ACL", "LOG"))
                .stream()
                        .map(entry -> (List<?>) entry)
                        .filter(entry -> entry.contains("sluice:{limits}"))
                        .mapToLong(entry -> (Long) entry.get(1 + entry.indexOf("count")))
                        .sum();
    }

    /** Where limits of clients cannot be read either, that is part of the same trouble. */
    @Test
    void goesOnWithOneWarningOtherwise() {
        try (RedisServer redis = RedisServer.open()) {
            assumeThat(redis.hasUsers()).as("Redis logs what it refuses").isTrue();
            redis.call("ACL", "SETUSER", "narrow", "on", ">s3cret", "+@all", "&*", "~sluice:{limits}:instance*");
            String uri = redis.patientUri().replace("//", "//narrow:s3cret@");
            try (LogLines log = new LogLines();
                    Sluice limits = Sluice.builder()
                            .config(GivenFile.with(
                                    "store: { uri: \"" + uri + "\", onStart: go-on }\n" + "limits: { refresh: 100ms }"))
                            .open()) {
                assertThat(limits.decide(TestCall.get("/product/1")).outcome()).isEqualTo(Outcome.ADMITTED);
                // The second question comes only after all that follows from the first answer.
                Eventually.await("two questions for limits of clients", () -> refusedLimits(redis) >= 2);
                assertThat(log.with("WARN "))
                        .singleElement()
                        .asString()
                        .contains("The store is unavailable at start-up (");
            }
        }
    }
}
