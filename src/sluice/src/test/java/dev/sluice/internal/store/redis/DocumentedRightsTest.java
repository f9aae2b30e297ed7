package dev.sluice.internal.store.redis;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchange;
import static dev.sluice.store.Exchanges.key;
import static dev.sluice.store.Exchanges.statementOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.OperatorData;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.StoredOverride.Note;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The line in {@code docs/stores.md} grants all that is needed, and nothing else. */
@Tag("store")
class DocumentedRightsTest {

    /** By Lettuce, with a cluster or an old Redis only; tests of these run as this user too. */
    private static final Set<String> ELSEWHERE = Set.of("cluster", "client", "info", "asking", "ping");

    private static final Map<String, Rule> RULES = Map.of(
            "total", new Rule.Total(100),
            "frame", new Rule.Frame(100, 2),
            "bucket", new Rule.Bucket(1000, 1, 100_000, 200_000),
            "log", new Rule.Log(100, 2_000),
            "slots", new Rule.Slots(10, 2, 0, Long.MAX_VALUE));

    private final long end = System.currentTimeMillis() + 600_000;
    private final AtomicBoolean hasHeard = new AtomicBoolean();
    private long sequence;

    @Test
    void areAllThatIsUsed() {
        try (RedisServer redis = RedisServer.open()) {
            assumeThat(redis.hasUsers()).isTrue();
            String uri = DocumentedRights.uri(redis);
            redis.call("CONFIG", "RESETSTAT");
            try (CounterStore store = CounterStores.open(uri);
                    CounterStore elsewhere = CounterStores.open(uri.replace("?", "/3?"));
                    ClientOverrideSource limits = Objects.requireNonNull(OperatorData.of(store));
                    OperatedStore operator = OperatedStore.open(uri)) {
                count(redis, store);
                exchange(elsewhere, batch("i", 1));
                setLimits(redis, operator, limits);
                report(operator);
                look(operator.counters());
            }
            assertThat((List<?>) redis.call("ACL", "LOG"))
                    .as("what was refused")
                    .isEmpty();
            Set<String> unused = new TreeSet<>(DocumentedRights.commands());
            unused.removeAll(redis.commandCalls().keySet());
            unused.removeAll(ELSEWHERE);
            assertThat(unused).as("granted for nothing").isEmpty();
        }
    }

    private CounterKey counter(String rule) {
        return key(rule, "acme", end - 600_000, end);
    }

    private void count(RedisServer redis, CounterStore store) {
        redis.call("LPUSH", counter("bucket").text(), "of another type");
        store.subscribe("other", news -> hasHeard.set(true));
        RULES.forEach((name, rule) -> exchange(
                store,
                batch(
                        "i",
                        ++sequence,
                        statementOf(counter(name), rule)
                                .used(Duration.ofSeconds(1), 3)
                                .holding(2))));
        RULES.forEach((name, rule) -> exchange(
                store,
                batch("i", ++sequence, statementOf(counter(name), rule).used(-1).needing(1))));
        String longAgo = "9999999999999 0000000000000000001 9999999999999 0 0\n0";
        redis.call("HSET", "sluice:{0/16}:!shares", "!answer:0:sweeper", longAgo);
        exchange(store, batch("sweeper", 2));
        Eventually.await("news", () -> {
            String sender = "j" + System.nanoTime();
            exchange(store, batch(sender, 1, statementOf(counter("freed"), 1).used(1)));
            exchange(store, batch(sender, 2, statementOf(counter("freed"), 1).used(-1)));
            return hasHeard.get();
        });
        Eventually.await("that calls leave the log", () -> {
            exchange(store, batch("j" + System.nanoTime(), 1, statementOf(counter("log"), RULES.get("log"))));
            return redis.commandCalls().containsKey("zremrangebyrank");
        });
    }

    private static void setLimits(RedisServer redis, OperatedStore operator, ClientOverrideSource limits) {
        ClientOverride acme = new ClientOverride("tenant", "acme", "get-product", "5/10s");
        done(operator.overrides().set(acme, new Note(Duration.ofHours(1), "ann", "a trial")));
        ClientOverrideSource.Overrides known = done(limits.changedSince("")).orElseThrow();
        done(operator.overrides().unset(acme, Note.NONE));
        done(operator.overrides().set(acme, Note.NONE));
        assertThat(done(operator.overrides().all())).hasSize(1);
        assertThat(done(operator.overrides().history())).hasSize(3);
        redis.call("DEL", "sluice:{limits}", "sluice:{limits}:version");
        assertThat(done(limits.changedSince(known.version())).orElseThrow().limits())
                .containsExactly(acme);
    }

    private static void report(OperatedStore operator) {
        InstanceReport report = new InstanceReport("one-4711", "one", "v", 5000, "d1", "acme=3");
        done(operator.instances().write(report, "its limits"));
        assertThat(done(operator.instances().all())).containsExactly(report);
        assertThat(done(operator.instances().heads())).hasSize(1);
        assertThat(done(operator.instances().limitsOfFile("d1"))).isEqualTo("its limits");
        done(operator.instances().leave("one-4711"));
    }

    private void look(LiveCounters counters) {
        long now = done(counters.nowMillis());
        assertThat(done(counters.scan(LiveCounters.Position.FIRST)).keys()).isNotEmpty();
        List<LiveCounter> all = RULES.entrySet().stream()
                .map(rule -> new LiveCounter(counter(rule.getKey()), rule.getValue()))
                .toList();
        assertThat(done(counters.look(all, now, true))).hasSize(RULES.size());
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
