package dev.sluice.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.claimOf;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.store.redis.link.RedisAddressParser;
import dev.sluice.store.redis.server.FaultyProxy;
import dev.sluice.store.redis.server.RedisServer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An instance is told, once, that Redis has forgotten what it had been told. */
class RedisLossTest {

    /** Longer than the record of an answer lives. */
    private static final long LONG_NANOS = 70_000_000_000L;

    private final String instance = unique();
    private final CounterKey acme = key(unique(), "acme", 0, System.currentTimeMillis() + 600_000);
    private final AtomicLong nanos = new AtomicLong();
    private final RedisServer redis = RedisServer.open();
    private final FaultyProxy proxy = new FaultyProxy(redis.port());
    private final CounterStore store = RedisCounterStore.open(
            RedisAddressParser.parse("redis://127.0.0.1:" + proxy.port() + "?timeout=2s"),
            TimeToLive.USUAL,
            nanos::get);

    @AfterEach
    void close() {
        store.close();
        proxy.close();
        redis.close();
    }

    private Batch numbered(long sequence) {
        return batch(instance, sequence, report(acme, 1));
    }

    private List<Loss> losses(Batch batch) {
        return exchangeInTheEnd(store, batch).losses();
    }

    private static Loss allAfter(long sequence) {
        return new Loss(Loss.ALL_SHARDS, sequence);
    }

    @Test
    void nothingIsLostAsLongAsRedisRemembers() {
        assertThat(losses(numbered(7))).isEmpty();
        assertThat(losses(numbered(7))).isEmpty();
        assertThat(losses(numbered(8))).isEmpty();
        assertThat(losses(numbered(12))).isEmpty();
        assertThat(losses(batch(instance, 13))).isEmpty();
        assertThat(losses(batch(unique(), 1))).isEmpty();
    }

    @Test
    void aFlushIsToldOnce() {
        losses(numbered(1));
        losses(numbered(2));
        redis.call("FLUSHALL");
        assertThat(losses(numbered(3))).containsExactly(allAfter(0));
        assertThat(losses(numbered(4))).isEmpty();
    }

    @Test
    void aRestartWithoutPersistenceIsTold() {
        losses(numbered(1));
        redis.kill();
        redis.start();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
    }

    @Test
    void aRestartDuringALongOutageIsTold() {
        losses(numbered(1));
        redis.kill();
        nanos.addAndGet(LONG_NANOS);
        redis.start();
        assertThat(losses(batch(unique(), 1))).as("another instance is first").isEmpty();
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void nothingIsLostIfOnlyTheRecordHasExpired() {
        losses(numbered(1));
        nanos.addAndGet(LONG_NANOS);
        redis.call("DEL", "sluice:{0}:!answer:0:" + instance);
        assertThat(losses(numbered(2))).isEmpty();
    }

    @Test
    void nothingIsLostIfOnlyTheRecordIsEvicted() {
        losses(numbered(1));
        nanos.addAndGet(LONG_NANOS / 2);
        losses(numbered(2));
        nanos.addAndGet(LONG_NANOS / 2);
        redis.call("DEL", "sluice:{0}:!answer:0:" + instance);
        assertThat(losses(numbered(3))).as("calls would count twice").isEmpty();
        assertThat(losses(numbered(4))).isEmpty();
    }

    @Test
    void aReplicaWithoutTheRecordIsTold() {
        losses(numbered(1));
        redis.call("DEL", "sluice:{0}:!answer:0:" + instance);
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
    }

    @Test
    void hostileContentsDoNoHarm() {
        losses(numbered(1));
        nanos.addAndGet(LONG_NANOS);
        redis.call("DEL", "sluice:{0}:!answer:0:" + instance);
        redis.call("SET", "sluice:{0}:!birth", "9".repeat(300));
        assertThat(losses(numbered(2))).as("no age is known").hasSizeLessThan(2);
        assertThat(losses(numbered(3))).isEmpty();
        assertThat(redis.call("PTTL", "sluice:{0}:!birth").toString()).doesNotStartWith("-");
    }

    @Test
    void aReplicaThatLaggedBehindIsTold() {
        try (RedisServer replica = RedisServer.open()) {
            replica.call("REPLICAOF", "127.0.0.1", String.valueOf(redis.port()));
            losses(numbered(1));
            losses(numbered(2));
            Eventually.await(
                    "the replica has what was counted",
                    () -> "1".equals(replica.call("EXISTS", acme.text()).toString())
                            && "2".equals(replica.call("GET", acme.text())));
            replica.call("REPLICAOF", "NO", "ONE");
            losses(numbered(3));
            losses(numbered(4));

            proxy.redirect(replica.port());

            assertThat(losses(numbered(5))).containsExactly(allAfter(2));
            assertThat(losses(numbered(6))).isEmpty();
            assertThat(replica.call("GET", acme.text())).isEqualTo("4");
        }
    }

    @Test
    void anEmptyBatchFindsOut() {
        losses(numbered(1));
        redis.call("FLUSHALL");
        assertThat(losses(batch(instance, 2))).containsExactly(allAfter(0));
        assertThat(losses(batch(instance, 3))).isEmpty();
    }

    @Test
    void aLossIsToldAgainIfTheReplyWasLost() {
        losses(numbered(1));
        redis.call("FLUSHALL");
        proxy.cutNext(FaultyProxy.Cut.BEFORE_REPLY);
        assertThatThrownBy(() -> exchange(store, numbered(2))).isInstanceOf(StoreException.class);
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void aBatchWhoseReplyWasLostIsNoLoss() {
        losses(numbered(1));
        proxy.cutNext(FaultyProxy.Cut.BEFORE_REPLY);
        assertThatThrownBy(() -> exchange(store, numbered(2))).isInstanceOf(StoreException.class);
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void aFlushIsToldAfterALongSilence() {
        losses(numbered(1));
        redis.call("FLUSHALL");
        String answered = redisMillis();
        while (redisMillis().equals(answered)) {
            Thread.onSpinWait();
        }
        nanos.addAndGet(LONG_NANOS);
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    private String redisMillis() {
        return redis.call("EVAL", "local t = redis.call('TIME') return t[1] .. t[2]:sub(1, -4)", "0")
                .toString();
    }

    @Test
    void whatIsHeldIsCountedAgainWhenItIsToldNext() {
        exchange(store, batch(instance, 1, claimOf(acme, 100).used(3).holding(4)));
        redis.call("FLUSHALL");
        assertThat(exchange(store, batch(instance, 2, claimOf(acme, 100).used(1).holding(3)))
                        .grants()
                        .get(0)
                        .total())
                .isEqualTo(4);
        assertThat(exchange(store, batch(instance, 3, claimOf(acme, 100)))
                        .grants()
                        .get(0)
                        .total())
                .isEqualTo(1);
    }
}
