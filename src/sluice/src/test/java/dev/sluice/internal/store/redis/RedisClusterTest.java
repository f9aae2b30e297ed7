package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.OverrideStores;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Overrides;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What only a cluster does: nodes fail alone, slots move, and each shard counts apart. */
@Tag("store")
@Tag("thorough")
class RedisClusterTest {

    private static RedisCluster cluster;
    private static String uri = "";

    @BeforeAll
    static void start() {
        cluster = RedisCluster.open();
        uri = DocumentedRights.uri(cluster);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** A store that has reached every master; one that has just been opened refuses commands to those it has not. */
    static CounterStore open(String uri) {
        CounterStore store = CounterStores.open(uri);
        exchangeInTheEnd(store, new Batch(unique(), 1, statementsOnAllShards(unique(), 100)));
        return store;
    }

    private static List<Statement> statementsOnAllShards(String endpoint, int howMany) {
        long end = System.currentTimeMillis() / 600_000 * 600_000 + 1_200_000;
        return IntStream.range(0, howMany)
                .mapToObj(i -> report(key(endpoint, "t" + i, 0, end), 1))
                .toList();
    }

    @Test
    void aBatchIsOneScriptCallForEachShardOnItsOwnNode() {
        List<Statement> statements = statementsOnAllShards(unique(), 1000);
        try (CounterStore store = open(uri)) {
            exchange(store, new Batch(unique(), 1, statements));
            cluster.nodes().forEach(node -> node.call("CONFIG", "RESETSTAT"));
            exchange(store, new Batch(unique(), 2, statements));
        }
        assertThat(calls("evalsha")).isEqualTo(CounterKey.SHARDS);
    }

    @Test
    void aFailingNodeFailsTheExchangeAndAResendCountsEachShardOnce() {
        List<Statement> statements = statementsOnAllShards(unique(), 500);
        String instance = unique();
        try (CounterStore store = CounterStores.open(cluster.uri())) {
            exchangeInTheEnd(store, new Batch(instance, 1, statements));
            RedisServer sick = cluster.nodes().get(1);
            sick.freeze();
            Batch batch = new Batch(instance, 2, statements);
            StoreException trouble = catchThrowableOfType(StoreException.class, () -> exchange(store, batch));
            assertThat(trouble).hasMessage(cluster.uri() + " did not answer in time: 1000 ms");
            sick.thaw();
            assertThat(exchangeInTheEnd(store, batch).grants()).containsOnly(new Grant(2, 0, 0));
            assertThat(exchangeInTheEnd(store, new Batch(instance, 3, statements))
                            .grants())
                    .containsOnly(new Grant(3, 0, 0));
        }
    }

    @Test
    void countsOnceWhileSlotsMove() throws InterruptedException {
        List<Statement> statements = statementsOnAllShards(unique(), 300);
        String instance = unique();
        AtomicBoolean moving = new AtomicBoolean(true);
        try (CounterStore store = open(uri)) {
            exchange(store, new Batch(instance, 1, statements));
            Thread mover = new Thread(() -> {
                try {
                    for (int shard : new int[] {0, 3, 5, 7}) {
                        move(cluster.slot(CounterKey.tag(shard)));
                    }
                } finally {
                    moving.set(false);
                }
            });
            mover.start();
            int sequence = 1;
            for (int after = 0; after < 10; after += moving.get() ? 0 : 1) {
                sequence++;
                assertThat(exchangeInTheEnd(store, new Batch(instance, sequence, statements))
                                .grants())
                        .containsOnly(new Grant(sequence, 0, 0));
            }
            mover.join();
        }
    }

    /** Moves a slot to another node, key by key and not in haste. */
    private static void move(int slot) {
        RedisServer source = cluster.owner(slot);
        RedisServer target = cluster.nodes().get((cluster.nodes().indexOf(source) + 1) % 3);
        cluster.beginMigration(slot, source, target);
        do {
            Eventually.pause(5);
        } while (cluster.migrateKeys(slot, source, target, 1) > 0);
        Eventually.pause(100);
        cluster.endMigration(slot, target);
    }

    @Test
    void anEmptyBatchLooksForLossesInEachShardOfLate() {
        String instance = unique();
        RedisServer forgetful = cluster.nodes().get(0);
        try (CounterStore store = open(uri)) {
            exchange(store, new Batch(instance, 1, statementsOnAllShards(unique(), 1000)));
            assertThat(exchange(store, batch(instance, 2)).losses()).isEmpty();
            forgetful.call("FLUSHALL");

            List<Loss> losses = exchange(store, batch(instance, 3)).losses();

            assertThat(losses)
                    .extracting(Loss::shard)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, CounterKey.SHARDS)
                            .filter(shard -> cluster.owner(cluster.slot(CounterKey.tag(shard))) == forgetful)
                            .boxed()
                            .toList())
                    .isNotEmpty();
            assertThat(losses).extracting(Loss::afterSequence).containsOnly(0L);
            assertThat(exchange(store, batch(instance, 4)).losses()).isEmpty();
        }
    }

    @Test
    void anEmptyBatchCostsThreeCommandsForEachShardOfLate() {
        String instance = unique();
        List<Statement> statements = statementsOnAllShards(unique(), 20);
        long shards = statements.stream()
                .map(statement -> statement.key().shard())
                .distinct()
                .count();
        try (CounterStore store = open(uri)) {
            exchange(store, new Batch(instance, 1, statements));
            cluster.nodes().forEach(node -> node.call("CONFIG", "RESETSTAT"));
            exchange(store, batch(instance, 2));
            for (String command : List.of("evalsha", "time", "hmget")) {
                assertThat(calls(command)).describedAs(command).isEqualTo(shards);
            }
            assertThat(calls("get") + calls("zrange") + calls("incrby") + calls("hset"))
                    .isZero();
        }
    }

    private static long calls(String command) {
        return cluster.nodes().stream()
                .mapToLong(node -> node.commandCalls().getOrDefault(command, 0L))
                .sum();
    }

    @Test
    void isClosedWhileItConnects() {
        try (ErrorOutput log = new ErrorOutput()) {
            for (int i = 0; i < 20; i++) {
                CounterStore store = CounterStores.open(uri);
                store.subscribe("i", news -> {});
                Eventually.pause(5L * i);
                store.close();
            }
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void saysThatAClusterIsDown() {
        try (RedisServer lonely = RedisServer.open("--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf");
                CounterStore store = CounterStores.open("redis-cluster://127.0.0.1:" + lonely.port())) {
            StoreException trouble = catchThrowableOfType(
                    StoreException.class,
                    () -> exchange(
                            store, batch("i", 1, statementsOnAllShards("e", 1).get(0))));
            assertThat(trouble).hasMessageStartingWith("redis-cluster://127.0.0.1:" + lonely.port() + " ");
            assertThat(trouble.temporary()).isTrue();
        }
    }

    @Test
    void keepsLimitsOfClientsToo() {
        ClientOverride acme = new ClientOverride("tenant", "acme", "get-product", "5000/10s");
        try (OverrideStore source = OverrideStores.open(cluster.uri() + "?timeout=5s")) {
            assertThat(done(source.connected())).isTrue();
            assertThat(done(source.set(acme, StoredOverride.Note.NONE))).isTrue();
            Overrides kept = done(source.changedSince("")).orElseThrow();
            assertThat(kept.limits()).containsExactly(acme);
            assertThat(done(source.changedSince(kept.version()))).isEmpty();
            assertThat(done(source.unset(acme, StoredOverride.Note.NONE))).isTrue();
            assertThat(done(source.changedSince(kept.version())))
                    .map(Overrides::limits)
                    .contains(List.of());
        }
    }

    @Test
    void showsInstancesAndCounters() {
        String uri = cluster.uri() + "?timeout=5s";
        try (CounterStore store = CounterStores.open(uri);
                OperatedStore operated = OperatedStore.open(uri)) {
            List<Statement> statements = statementsOnAllShards(unique(), 300);
            exchangeInTheEnd(store, new Batch(unique(), 1, statements));
            long now = done(operated.counters().nowMillis());
            List<LiveCounter> live = statements.stream()
                    .map(statement -> new LiveCounter(statement.key(), statement.rule()))
                    .toList();
            assertThat(done(operated.counters().look(live, now, true)))
                    .extracting(look -> look.grant().total())
                    .containsOnly(1L);
            Set<CounterKey> found = new HashSet<>();
            Optional<LiveCounters.Position> next = Optional.of(LiveCounters.Position.FIRST);
            while (next.isPresent()) {
                LiveCounters.Page step = done(operated.counters().scan(next.get()));
                found.addAll(step.keys());
                next = step.next();
            }
            assertThat(found)
                    .containsAll(statements.stream().map(Statement::key).toList());
            InstanceReport report = new InstanceReport("one", "one", "", 1, "", "");
            done(operated.instances().write(report, ""));
            assertThat(done(operated.instances().all())).containsExactly(report);
        }
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
