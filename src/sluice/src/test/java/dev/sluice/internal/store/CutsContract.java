package dev.sluice.internal.store;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.grant;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the network does, a batch that is sent until it is answered is applied once. */
public abstract class CutsContract {

    private static final int COUNTERS = 10;
    private static final int SENDERS = 8;

    protected final String instance = unique();
    private final String endpoint = unique();
    private final long end = System.currentTimeMillis() / 600_000 * 600_000 + 1_200_000;
    protected FaultyProxy proxy;
    /** Reached through the bad network. */
    protected CounterStore store;
    /** The same, with little patience. */
    protected CounterStore hasty;

    private CounterStore direct;

    /** Of the server itself. */
    protected abstract int serverPort();

    /** The uri by which the server is reached at this port, without options. */
    protected abstract String uri(int port);

    /** The same, where an exchange may take as long as it takes on a busy machine. */
    protected abstract String patientUri(int port);

    /** The same, where an exchange fails if it takes long; at least 400 ms. */
    protected abstract String hastyUri(int port);

    /** How often connections are cut while many send. */
    protected abstract int cuts();

    @BeforeEach
    void openStore() {
        proxy = new FaultyProxy(serverPort());
        store = CounterStores.open(patientUri(proxy.port()));
        hasty = CounterStores.open(hastyUri(proxy.port()));
        direct = CounterStores.open(patientUri(serverPort()));
    }

    @AfterEach
    void closeStore() {
        store.close();
        hasty.close();
        direct.close();
        proxy.close();
    }

    protected final CounterKey tenant(String tenant) {
        return key(endpoint, tenant, 0, end);
    }

    protected final long total(String tenant) {
        return grant(direct, batch(unique(), 1, question(tenant(tenant)))).total();
    }

    @ParameterizedTest
    @EnumSource(FaultyProxy.Cut.class)
    void aCutConnectionFailsTheExchangeAndAResendCountsOnce(FaultyProxy.Cut cut) {
        exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 1)));
        Batch batch = batch(instance, 2, statementOf(tenant("t"), 100).used(3).needing(4));

        proxy.cutNext(cut);
        assertThatThrownBy(() -> exchange(store, batch))
                .isInstanceOf(StoreException.class)
                .hasMessage(uri(proxy.port()) + " closed the connection before replying");
        boolean applied = cut == FaultyProxy.Cut.BEFORE_REPLY || cut == FaultyProxy.Cut.IN_REPLY;
        assertThat(total("t")).isEqualTo(applied ? 8 : 1);

        assertThat(exchangeInTheEnd(store, batch).grants()).containsExactly(new Grant(8, 4, 0));
        assertThat(total("t")).isEqualTo(8);
    }

    @Test
    void aSlowNetworkIsBorne() {
        proxy.delayReplies(Duration.ofMillis(100));
        assertThat(exchangeInTheEnd(store, batch(instance, 1, report(tenant("t"), 2)))
                        .grants())
                .containsExactly(new Grant(2, 0, 0));
    }

    @Test
    void aConnectionThatHangsIsReplaced() {
        exchangeInTheEnd(hasty, batch(instance, 1, report(tenant("t"), 1)));
        proxy.freeze();
        Batch batch = batch(instance, 2, report(tenant("t"), 5));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> exchange(hasty, batch))
                    .isInstanceOf(StoreException.class)
                    .hasMessageStartingWith(uri(proxy.port()) + " ");
        }
        proxy.thaw();
        assertThat(exchangeInTheEnd(hasty, batch).grants()).containsExactly(new Grant(6, 0, 0));
        assertThat(total("t")).isEqualTo(6);
    }

    @Test
    void manyCutsLoseAndInventNothing() {
        List<long[]> sent = IntStream.range(0, SENDERS)
                .mapToObj(number -> CompletableFuture.supplyAsync(
                        () -> sendThroughCuts(number, cuts() / SENDERS), task -> new Thread(task).start()))
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
        try (FaultyProxy badNetwork = new FaultyProxy(serverPort());
                CounterStore own = CounterStores.open(patientUri(badNetwork.port()))) {
            for (long sequence = 1;
                    badNetwork.cuts() < times || LongStream.of(held).sum() > 0;
                    sequence++) {
                boolean isOver = badNetwork.cuts() >= times;
                List<Statement> statements = new ArrayList<>();
                for (int i = 0; i < COUNTERS; i++) {
                    long using = Math.min(held[i], random.nextInt(5));
                    held[i] = isOver ? 0 : held[i] - using;
                    used[i] += using;
                    statements.add(statementOf(tenant("t" + i), 1_000_000_000)
                            .used(using)
                            .holding(held[i])
                            .needing(isOver ? 0 : random.nextInt(5))
                            .leasedFor(Duration.ofMinutes(5))
                            .statement());
                }
                if (!isOver && random.nextInt(4) > 0) {
                    badNetwork.cutNext(cuts[random.nextInt(cuts.length)]);
                }
                Batch.Reply reply = exchangeInTheEnd(own, new Batch(number + instance, sequence, statements));
                for (int i = 0; i < COUNTERS; i++) {
                    held[i] += reply.grants().get(i).granted();
                }
            }
        }
        return used;
    }
}
