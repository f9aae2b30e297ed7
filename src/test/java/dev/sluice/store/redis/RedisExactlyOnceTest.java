package dev.sluice.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.claimOf;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.grant;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.store.CounterStores;
import dev.sluice.store.redis.server.FaultyProxy;
import dev.sluice.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the network does, a batch that is sent until it is answered is applied once. */
class RedisExactlyOnceTest {

    private static final int COUNTERS = 10;

    private static RedisServer redis;

    private final String instance = unique();
    private final String endpoint = unique();
    private FaultyProxy proxy;
    private CounterStore store;
    private CounterStore direct;

    @BeforeAll
    static void start() {
        redis = RedisServer.open();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void open() {
        proxy = new FaultyProxy(redis.port());
        store = CounterStores.open("redis://127.0.0.1:" + proxy.port() + "?timeout=400ms");
        direct = CounterStores.open(redis.patientUri());
    }

    @AfterEach
    void close() {
        store.close();
        direct.close();
        proxy.close();
    }

    private CounterKey tenant(String tenant) {
        return key(endpoint, tenant, 0, System.currentTimeMillis() / 600_000 * 600_000 + 1_200_000);
    }

    private long total(String tenant) {
        return grant(direct, batch(unique(), 1, question(tenant(tenant)))).total();
    }

    @ParameterizedTest
    @EnumSource(FaultyProxy.Cut.class)
    void aCutConnectionFailsTheExchangeAtOnceAndAResendCountsOnce(FaultyProxy.Cut cut) {
        exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 1)));
        Batch batch = batch(instance, 2, claimOf(tenant("t"), 100).used(3).needing(4));

        proxy.cutNext(cut);
        assertThatThrownBy(() -> exchange(store, batch))
                .isInstanceOf(StoreException.class)
                .hasMessage("redis://127.0.0.1:" + proxy.port() + " closed the connection before it had answered");
        boolean applied = cut == FaultyProxy.Cut.BEFORE_REPLY || cut == FaultyProxy.Cut.IN_REPLY;
        assertThat(total("t")).isEqualTo(applied ? 8 : 1);

        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(8, 4, 0));
        assertThat(total("t")).isEqualTo(8);
    }

    @Test
    void aThousandCutsLoseAndInventNothing() {
        int senders = 8;
        List<long[]> sent = IntStream.range(0, senders)
                .mapToObj(number -> CompletableFuture.supplyAsync(
                        () -> sendThroughCuts(number, 1000 / senders), task -> new Thread(task).start()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();
        for (int i = 0; i < COUNTERS; i++) {
            int counter = i;
            assertThat(total("t" + i))
                    .isEqualTo(sent.stream().mapToLong(own -> own[counter]).sum());
        }
    }

    /**
     * Sends batches until its own proxy has cut so often, then returns what it holds; answers what it has used of each
     * counter.
     */
    private long[] sendThroughCuts(int number, int times) {
        Random random = new Random(number);
        FaultyProxy.Cut[] cuts = FaultyProxy.Cut.values();
        long[] used = new long[COUNTERS];
        long[] held = new long[COUNTERS];
        try (FaultyProxy badNetwork = new FaultyProxy(redis.port());
                CounterStore own = CounterStores.open("redis://127.0.0.1:" + badNetwork.port())) {
            for (long sequence = 1;
                    badNetwork.cuts() < times || LongStream.of(held).sum() > 0;
                    sequence++) {
                boolean isOver = badNetwork.cuts() >= times;
                List<Claim> claims = new ArrayList<>();
                for (int i = 0; i < COUNTERS; i++) {
                    long using = Math.min(held[i], random.nextInt(5));
                    held[i] = isOver ? 0 : held[i] - using;
                    used[i] += using;
                    claims.add(claimOf(tenant("t" + i), 1_000_000_000)
                            .used(using)
                            .holding(held[i])
                            .needing(isOver ? 0 : random.nextInt(5))
                            .claim());
                }
                if (!isOver && random.nextInt(4) > 0) {
                    badNetwork.cutNext(cuts[random.nextInt(cuts.length)]);
                }
                Batch.Reply reply = exchangeInTheEnd(own, new Batch(number + instance, sequence, claims));
                for (int i = 0; i < COUNTERS; i++) {
                    held[i] += reply.grants().get(i).granted();
                }
            }
        }
        return used;
    }

    @Test
    void aLongBatchOfManyScriptCallsIsAppliedOnceToo() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            claims.add(report(tenant("t" + i), 1));
        }
        FaultyProxy.Cut[] cuts = FaultyProxy.Cut.values();
        for (int sequence = 1; sequence <= 20; sequence++) {
            proxy.cutNext(cuts[sequence % cuts.length]);
            Batch.Reply reply = exchangeInTheEnd(store, new Batch(instance, sequence, claims));
            assertThat(reply.grants()).containsOnly(new Grant(sequence, 0, 0));
        }
    }

    @Test
    void aSlowNetworkIsBorne() {
        proxy.delayReplies(Duration.ofMillis(200));
        assertThat(exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 2)))
                        .grants())
                .containsExactly(new Grant(2, 0, 0));
        proxy.delayReplies(Duration.ofMillis(600));
        Batch late = batch(instance, 2, report(tenant("t"), 5));
        assertThatThrownBy(() -> exchange(store, late)).hasMessageEndingWith(" did not answer in time: 400 ms");
        proxy.delayReplies(Duration.ZERO);
        assertThat(exchangeInTheEnd(store, late).grants()).containsExactly(new Grant(7, 0, 0));
        assertThat(total("t")).isEqualTo(7);
    }

    @Test
    void aConnectionThatHangsIsReplaced() {
        exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 1)));
        proxy.freeze();
        Batch batch = batch(instance, 2, report(tenant("t"), 5));
        long before = System.nanoTime();
        assertThatThrownBy(() -> exchange(store, batch)).hasMessageEndingWith(" did not answer in time: 400 ms");
        assertThatThrownBy(() -> exchange(store, batch)).hasMessageEndingWith(" did not answer in time: 400 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        proxy.thaw();
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(6, 0, 0));
        assertThat(total("t")).isEqualTo(6);
    }

    @Test
    void aServerThatStandsStillCountsOnceWhenItGoesOn() {
        exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 1)));
        redis.freeze();
        Batch batch = batch(instance, 2, report(tenant("t"), 5));
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> exchange(store, batch)).isInstanceOf(StoreException.class);
        }
        redis.thaw();
        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(6, 0, 0));
        exchangeInTheEnd(store, batch(instance, 3, report(tenant("t"), 1)));
        assertThat(total("t")).isEqualTo(7);
    }
}
