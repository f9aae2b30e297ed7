package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.LossContract;
import dev.sluice.internal.store.redis.connection.RedisAddressParser;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of Redis: also where a replica lagged behind, or somebody else has written there. */
@Tag("store")
class RedisLossTest extends LossContract {

    private final RedisServer redis = RedisServer.open();

    @AfterEach
    void closeServer() {
        redis.close();
    }

    @Override
    protected int serverPort() {
        return redis.port();
    }

    @Override
    protected CounterStore open(int port, AtomicLong nanoClock) {
        String uri = "redis://127.0.0.1:" + port + "?timeout=15s";
        return RedisCounterStore.open(
                Objects.requireNonNull(RedisAddressParser.parse(uri)), TimeToLive.USUAL, nanoClock::get);
    }

    @Override
    protected long longNanos() {
        return 70_000_000_000L;
    }

    @Override
    protected void forgetAll() {
        redis.call("FLUSHALL");
    }

    @Override
    protected void forgetRecord() {
        redis.call("HDEL", "sluice:{0/16}:!shares", "!answer:0:" + instance);
    }

    @Override
    protected void stopServer() {
        redis.kill();
    }

    @Override
    protected void startServer() {
        redis.start();
    }

    @Test
    void nothingIsLostIfOnlyTheRecordIsEvicted() {
        losses(numbered(1));
        letPass(longNanos() / 2);
        losses(numbered(2));
        letPass(longNanos() / 2);
        forgetRecord();
        assertThat(losses(numbered(3))).as("calls would count twice").isEmpty();
        assertThat(losses(numbered(4))).isEmpty();
    }

    @Test
    void hostileContentsDoNoHarm() {
        losses(numbered(1));
        letPass(longNanos());
        forgetRecord();
        redis.call("SET", "sluice:{0/16}:!birth", "9".repeat(300));
        assertThat(losses(numbered(2))).as("no age is known").hasSizeLessThan(2);
        assertThat(losses(numbered(3))).isEmpty();
        assertThat(redis.call("PTTL", "sluice:{0/16}:!birth").toString()).doesNotStartWith("-");
        assertThat(redis.call("GET", "sluice:{0/16}:!birth"))
                .as("the time, and the form of all data")
                .asString()
                .matches("\\d{13} 1");
    }

    @Test
    void reportsAReplicaThatLaggedBehind() {
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

    /** Redis restarts empty on a machine whose clock is an hour behind. */
    @Test
    void reportsAFlushThoughTheNewClockIsBehind() {
        long now = System.currentTimeMillis();
        redis.call("SET", "sluice:{0/16}:!birth", (now - 7_200_000) + " 1");
        losses(numbered(1));
        letPass(longNanos());
        redis.call("FLUSHALL");
        redis.call("SET", "sluice:{0/16}:!birth", (now - 3_600_000) + " 1");
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    @Test
    void reportsAFlushAfterALongSilence() {
        losses(numbered(1));
        redis.call("FLUSHALL");
        String answered = redisMillis();
        while (redisMillis().equals(answered)) {
            Thread.onSpinWait();
        }
        letPass(longNanos());
        assertThat(losses(numbered(2))).containsExactly(allAfter(0));
        assertThat(losses(numbered(3))).isEmpty();
    }

    private String redisMillis() {
        return redis.call("EVAL", "local t = redis.call('TIME') return t[1] .. t[2]:sub(1, -4)", "0")
                .toString();
    }

    @Test
    void countsSharesAgainWithTheNextReport() {
        exchange(store, batch(instance, 1, statementOf(acme, 100).used(3).holding(4)));
        redis.call("FLUSHALL");
        assertThat(exchange(
                                store,
                                batch(
                                        instance,
                                        2,
                                        statementOf(acme, 100).used(1).holding(3)))
                        .grants()
                        .get(0)
                        .total())
                .isEqualTo(4);
        assertThat(exchange(store, batch(instance, 3, statementOf(acme, 100)))
                        .grants()
                        .get(0)
                        .total())
                .isEqualTo(1);
    }
}
