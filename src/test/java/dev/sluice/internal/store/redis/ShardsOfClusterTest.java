package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.report;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Loss;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.CounterStore.News.Kind;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.operated.LiveCounter;
import dev.sluice.internal.store.operated.LiveCounters;
import dev.sluice.internal.store.redis.link.RedisAddressParser;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.contract.Heard;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster keeps the number of shards over which its counters are spread, and all instances follow it. */
class ShardsOfClusterTest {

    private static final String NUMBER = "sluice:{0}:!shards";

    private static RedisCluster cluster;

    private final long end = System.currentTimeMillis() + 600_000;
    private final AtomicLong nanos = new AtomicLong(1);

    @BeforeAll
    static void start() {
        cluster = RedisCluster.open();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void empty() {
        cluster.nodes().forEach(node -> node.call("FLUSHALL"));
    }

    private static RedisServer ownerOf(String tag) {
        return cluster.owner(cluster.slot(tag));
    }

    private static Object kept() {
        return ownerOf("0").call("GET", NUMBER);
    }

    private CounterStore open(String options) {
        String uri = cluster.uri() + "?timeout=5s" + options;
        return RedisCounterStore.open(
                Objects.requireNonNull(RedisAddressParser.parse(uri)), TimeToLive.USUAL, nanos::get);
    }

    private List<Statement> reports(int counters) {
        return IntStream.range(0, counters)
                .mapToObj(i -> report(key("get-product", "t" + i, 0, end), 1))
                .toList();
    }

    /** The tags of all counters. */
    private static List<String> tags() {
        return cluster.nodes().stream()
                .flatMap(node -> ((List<?>) node.call("KEYS", "sluice:{*}:tenant=*")).stream())
                .map(name -> ((String) name).replaceAll("sluice:\\{(.+?)}.*", "$1"))
                .distinct()
                .sorted()
                .toList();
    }

    private static List<String> tagsOf(int number) {
        return IntStream.range(0, number)
                .mapToObj(shard -> number == 64 ? shard + "" : shard + "/" + number)
                .sorted()
                .toList();
    }

    private static long scripts() {
        return cluster.nodes().stream()
                .mapToLong(node -> node.commandCalls().getOrDefault("evalsha", 0L))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16, 64})
    void aBatchTakesAsManyScriptsAtMost(int number) {
        try (CounterStore store = open("&shards=" + number)) {
            exchangeInTheEnd(store, new Batch("i", 1, reports(1000)));
            cluster.nodes().forEach(node -> node.call("CONFIG", "RESETSTAT"));
            assertThat(exchange(store, new Batch("i", 2, reports(1000))).grants())
                    .containsOnly(new Grant(2, 0, 0));
            assertThat(scripts()).isBetween((long) number, number + 4L); // 1,000 counters of one shard are five scripts
            assertThat(tags()).isEqualTo(tagsOf(number));
            assertThat(kept()).isEqualTo(number + "");
            assertThat((Long) ownerOf("0").call("PTTL", NUMBER)).isPositive();
        }
    }

    @Test
    void anEmptyClusterGetsEight() {
        try (ErrorOutput log = new ErrorOutput();
                CounterStore store = open("")) {
            exchangeInTheEnd(store, new Batch("i", 1, reports(300)));
            assertThat(tags()).isEqualTo(tagsOf(8));
            assertThat(kept()).isEqualTo("8");
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void whoWantsAnotherNumberFollowsAndWarnsOnce() {
        try (CounterStore first = open("&shards=4");
                ErrorOutput log = new ErrorOutput();
                CounterStore other = open("&shards=32");
                CounterStore third = open("")) {
            exchangeInTheEnd(first, new Batch("a", 1, reports(300)));
            exchangeInTheEnd(other, new Batch("b", 1, reports(300)));
            assertThat(exchangeInTheEnd(third, new Batch("c", 1, reports(300))).grants())
                    .containsOnly(new Grant(3, 0, 0));
            nanos.addAndGet(Duration.ofSeconds(9).toNanos());
            exchange(other, new Batch("b", 2, reports(300)));
            assertThat(tags()).isEqualTo(tagsOf(4));
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .endsWith("WARN " + cluster.uri()
                            + " spreads its counters over 4 shards, not over 32 as the store uri says, and this "
                            + "instance follows. docs/stores.md says how to change the number");
        }
    }

    /** As the version before wrote them, or one Redis whose data were moved to a cluster. */
    @Test
    void dataWithoutANumberAreOfSixtyFourShardsAndReadable() {
        List<Statement> statements = reports(300);
        try (CounterStore before = open("&shards=64")) {
            exchangeInTheEnd(before, new Batch("a", 1, statements));
        }
        ownerOf("0").call("DEL", NUMBER);
        try (CounterStore store = open("")) {
            assertThat(exchangeInTheEnd(store, new Batch("b", 1, statements)).grants())
                    .containsOnly(new Grant(2, 0, 0));
            assertThat(kept()).isEqualTo("64");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7", "128", "8 shards", "x"})
    void whatIsNoNumberIsReplaced(String content) {
        try (CounterStore store = open("&shards=4")) {
            exchangeInTheEnd(store, new Batch("i", 1, reports(300)));
            ownerOf("0").call("SET", NUMBER, content);
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(exchange(store, new Batch("i", 2, reports(300))).losses())
                    .isEmpty();
            assertThat(kept()).isEqualTo("4");
            ownerOf("0").call("DEL", NUMBER);
            ownerOf("0").call("LPUSH", NUMBER, "of another type");
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(exchange(store, new Batch("i", 3, reports(300))).losses())
                    .isEmpty();
            assertThat(kept()).isEqualTo("4");
        }
    }

    @Test
    void newsNameCountersAsTheLimiterDoes() {
        CounterKey acme = key("get-product", "acme", 0, end);
        assertThat(acme.text()).isNotEqualTo(acme.text(2));
        try (CounterStore store = open("&shards=2")) {
            exchangeInTheEnd(store, new Batch("warm", 1, reports(300)));
            Heard heard = Heard.by("holder", store);
            exchange(store, batch("holder", 1, statementOf(acme, 3).holding(3)));
            exchange(store, batch("asker", 1, statementOf(acme, 3).needing(1)));
            heard.await(Kind.RECALLED, acme);
        }
    }

    @Test
    void operatorsFindTheCounters() {
        try (CounterStore store = open("&shards=4");
                OperatedStore operated = OperatedStore.open(cluster.uri() + "?timeout=5s")) {
            List<Statement> statements = reports(100);
            exchangeInTheEnd(store, new Batch("i", 1, statements));
            exchange(
                    store,
                    batch(
                            "holder",
                            1,
                            statementOf(statements.get(0).key(), 1000).holding(7)));
            LiveCounters counters = operated.counters();
            long now = counters.nowMillis().toCompletableFuture().join();
            List<LiveCounter> live = statements.stream()
                    .map(statement -> new LiveCounter(statement.key(), statement.rule()))
                    .toList();
            List<Grant> grants =
                    counters.look(live, now, true).toCompletableFuture().join();
            assertThat(grants).first().isEqualTo(new Grant(8, 0, 7));
            assertThat(grants).extracting(Grant::total).startsWith(8L, 1L, 1L);
            LiveCounters.Page page = counters.scan(LiveCounters.Position.FIRST)
                    .toCompletableFuture()
                    .join();
            assertThat(page.keys())
                    .isNotEmpty()
                    .isSubsetOf(statements.stream().map(Statement::key).toList());
        }
    }

    @Test
    void whatClusterLosesIsReportedForAllCountersOfItsShards() {
        try (CounterStore store = open("&shards=4")) {
            exchangeInTheEnd(store, new Batch("i", 1, reports(300)));
            ownerOf("3/4").call("FLUSHALL");
            List<Integer> lost = exchange(store, new Batch("i", 2, reports(300))).losses().stream()
                    .map(Loss::shard)
                    .toList();
            assertThat(lost).contains(3, 7, 11, 63).doesNotHaveDuplicates();
            assertThat(lost.size() % 16).isZero();
        }
    }

    @Test
    void aRunningInstancePutsTheNumberBack() {
        try (CounterStore store = open("&shards=4");
                CounterStore later = open("&shards=8")) {
            exchangeInTheEnd(store, new Batch("i", 1, reports(300)));
            cluster.nodes().forEach(node -> node.call("FLUSHALL"));
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            exchange(store, new Batch("i", 2, reports(300)));
            assertThat(kept()).isEqualTo("4");
            exchangeInTheEnd(later, new Batch("j", 1, reports(300)));
            assertThat(tags()).isEqualTo(tagsOf(4));
        }
    }

    /** After all data are lost, an instance that wants another number may be the first to come. */
    @Test
    void whereAnotherWasFasterAllIsReportedAgainOverItsNumber() {
        List<Statement> statements = reports(300);
        try (CounterStore store = open("&shards=4");
                CounterStore faster = open("&shards=16");
                ErrorOutput log = new ErrorOutput()) {
            exchangeInTheEnd(store, new Batch("i", 1, statements));
            cluster.nodes().forEach(node -> node.call("FLUSHALL"));
            exchangeInTheEnd(faster, new Batch("j", 1, statements));
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            Batch.Reply reply = exchange(store, new Batch("i", 2, statements));
            assertThat(reply.losses()).containsExactly(new Loss(Loss.ALL_SHARDS, 0));
            assertThat(reply.grants()).containsOnly(new Grant(2, 0, 0));
            assertThat(exchange(store, new Batch("i", 3, statements)).losses()).isEmpty();
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .endsWith(" now spreads its counters over 16 shards instead of 4: this instance follows, and "
                            + "reports its counts again");
        }
    }

    /** What was counted over the other number stands where nobody looks any more. */
    @Test
    void aBatchThatWasSentOverAnotherNumberCountsOnce() {
        List<Statement> statements = reports(300);
        try (CounterStore store = open("&shards=4");
                CounterStore faster = open("&shards=16")) {
            exchangeInTheEnd(store, new Batch("i", 1, statements));
            cluster.nodes().forEach(node -> node.call("FLUSHALL"));
            exchangeInTheEnd(faster, new Batch("j", 1, statements));
            assertThat(exchange(store, new Batch("i", 2, statements)).grants())
                    .as("over 4 still")
                    .containsOnly(new Grant(1, 0, 0));
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(exchange(store, new Batch("i", 2, statements)).grants()).containsOnly(new Grant(2, 0, 0));
            assertThat(exchange(store, new Batch("i", 3, statements)).grants()).containsOnly(new Grant(3, 0, 0));
        }
    }

    /** One Redis is one script a batch in any case, and its data can be moved to a cluster as they are. */
    @Test
    void oneRedisKeepsSixtyFour() {
        try (RedisServer redis = RedisServer.open();
                CounterStore store = CounterStores.open(redis.patientUri())) {
            CounterKey acme = key(unique(), "acme", 0, end);
            exchange(store, batch("i", 1, report(acme, 1)));
            assertThat(redis.call("GET", acme.text(64))).isEqualTo("1");
            assertThat(redis.call("GET", NUMBER)).isNull();
        }
    }
}
