package dev.sluice.internal.store.redis.connection;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.Eventually;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.redis.RedisCounterStore;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.store.Exchanges.Asked;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Redis that may lose counts is found out, told of once, and followed until it is put right. */
@Tag("store")
class SettingsWatchTest {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static final Pattern LINE = Pattern.compile("(DEBUG |INFO |WARN )(redis.*)");

    private final ErrorOutput written = new ErrorOutput();
    private final AtomicLong nanos = new AtomicLong(1);

    @BeforeEach
    void setUpWell() {
        set("noeviction", "0");
    }

    @AfterEach
    void close() {
        written.close();
        set("noeviction", "0");
    }

    /** The lines of the log with their levels. */
    private List<String> logged() {
        return written.lines().stream()
                .map(LINE::matcher)
                .filter(Matcher::find)
                .map(line -> line.group(1) + line.group(2))
                .toList();
    }

    private static void set(String policy, String memory) {
        redis.call("CONFIG", "SET", "maxmemory", memory);
        redis.call("CONFIG", "SET", "maxmemory-policy", policy);
    }

    private RedisCounterStore open(String uri) {
        return RedisCounterStore.open(
                Objects.requireNonNull(RedisAddressParser.parse(uri)), TimeToLive.USUAL, nanos::get);
    }

    private static long questions() {
        return redis.commandCalls().getOrDefault("info", 0L);
    }

    /** Exchanges, and waits until Redis has answered what the store asks after that. */
    private static void exchangeAndLook(RedisCounterStore store) {
        long before = questions(); // which is one itself
        exchange(store, batch(unique(), 1));
        Eventually.await("the question", () -> questions() > before + 2);
        exchange(store, batch(unique(), 1)); // the answers come in order, on one connection
    }

    private static String warning(String policy) {
        return "redis://127.0.0.1:" + redis.port() + " can evict counters when its memory is full (maxmemory_policy is "
                + policy + ", maxmemory 104857600 bytes): callers can then get more or fewer calls than their limits "
                + "allow. Set maxmemory-policy to noeviction";
    }

    @ParameterizedTest
    @ValueSource(strings = {"volatile-lru", "volatile-ttl", "volatile-random", "allkeys-lru", "allkeys-lfu"})
    void warnsOfAPolicyThatEvicts(String policy) {
        set(policy, "100mb");
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchange(store, batch(unique(), 1));
            Eventually.await("a warning", () -> store.warning() != null);
            assertThat(store.warning()).isEqualTo(warning(policy));
            assertThat(logged())
                    .containsExactly(
                            "WARN " + warning(policy) + ". Sluice logs when this is fixed; see docs/stores.md");
        }
    }

    @ParameterizedTest
    @CsvSource({"noeviction, 100mb", "noeviction, 0", "volatile-lru, 0"})
    void whatEvictsNothingIsNot(String policy, String memory) {
        set(policy, memory);
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchangeAndLook(store);
            assertThat(store.warning()).isNull();
            assertThat(logged()).isEmpty();
        }
    }

    @Test
    void asksOnceAMinuteAndLogsTheEndOnce() {
        set("volatile-lru", "100mb");
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchange(store, batch(unique(), 1));
            Eventually.await("a warning", () -> store.warning() != null);
            set("allkeys-lru", "100mb");
            nanos.addAndGet(Duration.ofSeconds(59).toNanos());
            exchange(store, batch(unique(), 1));
            exchange(store, batch(unique(), 1));
            assertThat(store.warning()).isEqualTo(warning("volatile-lru"));
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            exchange(store, batch(unique(), 1));
            Eventually.await("another policy", () -> warning("allkeys-lru").equals(store.warning()));
            assertThat(logged()).as("a change that mends nothing").hasSize(1);
            set("noeviction", "100mb");
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            exchange(store, batch(unique(), 1));
            Eventually.await("no warning", () -> store.warning() == null);
            assertThat(logged())
                    .hasSize(2)
                    .endsWith("INFO redis://127.0.0.1:" + redis.port()
                            + " no longer evicts counters: its memory policy has been fixed");
        }
    }

    @Test
    void whoMayNotAskCountsAllTheSameAndAsksNoMore() {
        assumeTrue(redis.hasUsers());
        set("volatile-lru", "100mb");
        redis.call("ACL", "SETUSER", "curious", "on", ">s3cret", "~*", "allchannels", "+@all", "-info");
        redis.call("ACL", "LOG", "RESET");
        try (RedisCounterStore store = open("redis://curious:s3cret@127.0.0.1:" + redis.port() + "?timeout=10s")) {
            exchange(store, batch(unique(), 1));
            Eventually.await("a line", () -> !logged().isEmpty());
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            exchange(store, batch(unique(), 1));
            exchange(store, batch(unique(), 1));
            assertThat(store.warning()).isNull();
            assertThat(logged())
                    .containsExactly("DEBUG redis://127.0.0.1:" + redis.port()
                            + " does not show its maxmemory_policy to this user, so Sluice cannot check if it can "
                            + "evict counters; see the rights in docs/stores.md. This is logged once");
            assertThat((List<?>) redis.call("ACL", "LOG")).hasSize(1);
        }
    }

    private static final long HOUR = 3_600_000;

    private static Stream<Asked> longLimits() {
        return Stream.of(
                statementOf(key("window", unique(), 0, HOUR), 100),
                statementOf(key("frame", unique(), 0, HOUR / 4), new Rule.Frame(100, 4)),
                statementOf(key("log", unique(), 0, 0), new Rule.Log(100, HOUR)),
                statementOf(key("bucket", unique(), 0, 0), new Rule.Bucket(1_000, 1, HOUR, 2 * HOUR)));
    }

    private static Stream<Asked> others() {
        return Stream.of(
                statementOf(key("window", unique(), 0, HOUR - 1), 100),
                statementOf(key("frame", unique(), 0, HOUR / 4 - 1), new Rule.Frame(100, 4)),
                statementOf(key("log", unique(), 0, 0), new Rule.Log(100, HOUR - 1)),
                statementOf(key("bucket", unique(), 0, 0), new Rule.Bucket(1_000, 1, HOUR - 1, 2 * HOUR)),
                statementOf(key("slots", unique(), 0, 2 * HOUR), new Rule.Slots(100, 1, 0, Long.MAX_VALUE)));
    }

    private static String forgets(String uri) {
        return uri + " forgets all counters when it restarts (appendonly is no, save is empty, and there is no "
                + "replica): callers can then use up a limit of an hour or longer again. Turn on appendonly or "
                + "save, or add a replica";
    }

    private String uri() {
        return "redis://127.0.0.1:" + redis.port();
    }

    @AfterEach
    void keepNothing() {
        redis.call("CONFIG", "SET", "save", "");
        redis.call("CONFIG", "SET", "appendonly", "no");
    }

    @ParameterizedTest
    @MethodSource("longLimits")
    void warnsOnceOfARedisThatForgetsALimitOfAnHour(Asked limit) {
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchange(store, batch(unique(), 1, limit));
            Eventually.await("a warning", () -> store.warning() != null);
            assertThat(store.warning()).isEqualTo(forgets(uri()));
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            lookAgain(store);
            assertThat(logged())
                    .containsExactly("WARN " + forgets(uri()) + ". Sluice logs when this is fixed; see docs/stores.md");
        }
    }

    /** Exchanges, and waits until Redis has answered all that the store asks. */
    private static void lookAgain(RedisCounterStore store) {
        exchangeAndLook(store);
        exchange(store, batch(unique(), 1)); // a further question comes behind the first answer
        exchange(store, batch(unique(), 1));
    }

    @ParameterizedTest
    @MethodSource("others")
    void shorterLimitsMayBeForgotten(Asked limit) {
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchange(store, batch(unique(), 1, limit));
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            lookAgain(store);
            assertThat(store.warning()).isNull();
            assertThat(logged()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"save, 3600 1", "appendonly, yes"})
    void logsWhenRedisKeepsThemAgain(String setting, String value) {
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchange(store, batch(unique(), 1, longLimits().findFirst().orElseThrow()));
            Eventually.await("a warning", () -> store.warning() != null);
            redis.call("CONFIG", "SET", setting, value);
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            exchange(store, batch(unique(), 1));
            Eventually.await("no warning", () -> store.warning() == null);
            assertThat(logged()).hasSize(2).endsWith("INFO " + uri() + " no longer forgets counters when it restarts");
        }
    }

    @Test
    void warnsOfBoth() {
        set("volatile-lru", "100mb");
        try (RedisCounterStore store = open(redis.patientUri())) {
            exchange(store, batch(unique(), 1, longLimits().findFirst().orElseThrow()));
            Eventually.await("a warning", () -> store.warning() != null && logged().size() == 2);
            assertThat(store.warning()).isEqualTo(warning("volatile-lru") + ". " + forgets(uri()));
        }
    }

    @Test
    void aReplicaKeepsThem() {
        try (RedisServer replica = RedisServer.open()) {
            replica.call("REPLICAOF", "127.0.0.1", String.valueOf(redis.port()));
            Eventually.await(
                    "the replica",
                    () -> redis.call("INFO", "replication").toString().contains("connected_slaves:1"));
            try (RedisCounterStore store = open(redis.patientUri())) {
                exchange(store, batch(unique(), 1, longLimits().findFirst().orElseThrow()));
                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                lookAgain(store);
                assertThat(store.warning()).isNull();
            }
        }
    }

    /** As the documented user, and as managed services. */
    @Test
    void whoMayNotAskWhenRedisSavesIsNotWarnedAndAsksNoMore() {
        assumeTrue(redis.hasUsers());
        redis.call("ACL", "SETUSER", "curious", "on", ">s3cret", "~*", "allchannels", "+@all", "-config");
        redis.call("ACL", "LOG", "RESET");
        try (RedisCounterStore store = open("redis://curious:s3cret@127.0.0.1:" + redis.port() + "?timeout=10s")) {
            exchange(store, batch(unique(), 1, longLimits().findFirst().orElseThrow()));
            Eventually.await("the question", () -> !((List<?>) redis.call("ACL", "LOG")).isEmpty());
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            lookAgain(store);
            assertThat(store.warning()).isNull();
            assertThat(logged()).isEmpty();
            List<?> refused = (List<?>) redis.call("ACL", "LOG");
            assertThat(refused).hasSize(1);
            assertThat(refused.get(0).toString()).contains("count, 1");
        }
    }

    @Test
    void oneNodeOfAClusterIsEnough() {
        try (RedisCluster cluster = RedisCluster.open()) {
            RedisServer node = cluster.nodes().get(2);
            node.call("CONFIG", "SET", "maxmemory", "100mb");
            node.call("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
            try (RedisCounterStore store = open(cluster.uri() + "?timeout=10s")) {
                exchangeInTheEnd(store, batch(unique(), 1));
                Eventually.await("a warning", () -> store.warning() != null);
                assertThat(store.warning())
                        .startsWith(cluster.uri() + " can evict counters")
                        .contains("maxmemory_policy is volatile-ttl");
                node.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
                nanos.addAndGet(Duration.ofMinutes(1).toNanos());
                exchangeInTheEnd(store, batch(unique(), 1));
                Eventually.await("no warning", () -> store.warning() == null);
                assertThat(logged()).hasSize(2);
            }
        }
    }
}
