package dev.sluice.internal.store.redis.link;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.Eventually;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.redis.RedisCounterStore;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Redis that may evict counters is found out, told of once, and followed until it is put right. */
class EvictionWatchTest {

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
        return "redis://127.0.0.1:" + redis.port() + " may evict counters when its memory is full (maxmemory_policy is "
                + policy + ", maxmemory 104857600 bytes): callers may then get more than their limits, or less. Set "
                + "maxmemory-policy to noeviction";
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
        try (RedisCounterStore store = open("redis://curious:s3cret@127.0.0.1:" + redis.port() + "?timeout=10s")) {
            exchange(store, batch(unique(), 1));
            Eventually.await("a line", () -> !logged().isEmpty());
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            exchange(store, batch(unique(), 1));
            exchange(store, batch(unique(), 1));
            assertThat(store.warning()).isNull();
            assertThat(logged())
                    .containsExactly("DEBUG redis://127.0.0.1:" + redis.port()
                            + " does not show its maxmemory_policy to this user, so Sluice cannot warn if it may "
                            + "evict counters; see the rights in docs/stores.md. This is logged once");
            assertThat((List<?>) redis.call("ACL", "LOG")).hasSize(1);
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
                        .startsWith(cluster.uri() + " may evict counters")
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
