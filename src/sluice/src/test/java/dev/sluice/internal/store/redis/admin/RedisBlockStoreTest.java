package dev.sluice.internal.store.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Block;
import dev.sluice.Eventually;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.store.BlockStoreContract;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.OperatorData;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.admin.BlockStore.Changes;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("store")
class RedisBlockStoreTest extends BlockStoreContract {

    private static final List<String> KEYS = List.of(
            "sluice:{limits}:blocks",
            "sluice:{limits}:blocks:order",
            "sluice:{limits}:blocks:ends",
            "sluice:{limits}:blocks:madeup");

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static String uri;
    private CounterStore counters;
    private BlockStore store;

    @BeforeAll
    static void nameUser() {
        uri = DocumentedRights.uri(redis);
    }

    @BeforeEach
    void open() {
        counters = CounterStores.open(uri);
        store = Objects.requireNonNull(OperatorData.blocks(counters));
        Eventually.await(
                "an answer",
                () -> store.exchange(BlockStore.NOTHING, List.of())
                        .handle((version, failure) -> failure == null)
                        .toCompletableFuture()
                        .join());
    }

    @AfterEach
    void close() {
        store.close();
        counters.close();
    }

    @Override
    protected BlockStore store() {
        return store;
    }

    private static long ttl(String key) {
        return (Long) redis.call("PTTL", key);
    }

    @Test
    void everyKeyLivesUntilTheLastBlockIsForgotten() {
        Duration longest = Duration.ofHours(3);
        tell(block("acme", 0, longest), madeUp("acme", longest));
        tell(block("beta", 0, Duration.ofMinutes(1)));
        assertThat((List<?>) redis.call("KEYS", "*blocks*")).hasSameSizeAs(KEYS);
        long most = longest.plus(Block.CALM).toMillis();
        assertThat(KEYS).allSatisfy(key -> assertThat(ttl(key)).isBetween(most - 60_000, most + 60_000));
    }

    @Test
    void aBlockThatIsForgottenIsRemovedOnceAnotherBegins() {
        tell(block("acme", -2 * 86_400, Duration.ofMinutes(1)));
        tell(block("beta", 0, Duration.ofMinutes(1)));
        assertThat(done(store.all()))
                .singleElement()
                .matches(block -> block.key().equals(caller("beta")));
        assertThat(redis.call("ZCARD", KEYS.get(1))).isEqualTo(1L);
    }

    @Test
    void whoReadsChangesNothing() {
        tell(block("acme", 0, Duration.ofMinutes(1)));
        Map<String, Long> before = writes();
        assertThat(done(store.all())).hasSize(1);
        assertThat(writes()).isEqualTo(before).containsKey("zadd");
    }

    private static Map<String, Long> writes() {
        Map<String, Long> calls = new TreeMap<>(redis.commandCalls());
        calls.keySet().retainAll(Set.of("hset", "hdel", "zadd", "zrem", "pexpire", "unlink"));
        return calls;
    }

    @Test
    void aRedisThatHasLostDataSaysSo() {
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        Changes known = done(store.exchange(BlockStore.NOTHING, List.of(acme)));
        redis.call("FLUSHALL");
        Changes lost = done(store.exchange(known.version(), List.of()));
        assertThat(lost.isLoss()).isTrue();
        Changes again = done(store.exchange(lost.version(), List.of(acme)));
        assertThat(again.isLoss()).isFalse();
        assertThat(again.blocks()).containsExactly(acme);
        redis.call("FLUSHALL");
        tell(block("beta", 0, Duration.ofMinutes(15)));
        assertThat(done(store.exchange(again.version(), List.of())).isLoss()).isTrue();
    }

    @Test
    void aBlockThatWasWrittenWithoutACauseIsReadAllTheSame() {
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        tell(withCause(acme));
        redis.call("HSET", KEYS.get(0), acme.key().identity(), acme.sinceMillis() + " " + acme.untilMillis() + " 1");
        assertThat(done(store.all())).containsExactly(acme);
    }

    @Test
    void whatOthersWriteUnderTheKeysDoesNoHarm() {
        KEYS.forEach(key -> redis.call("SET", key, "x"));
        assertThat(tell()).isEmpty();
        Block acme = block("acme", 0, Duration.ofMinutes(15));
        tell(acme);
        redis.call("HSET", KEYS.get(0), "garbage", "x".repeat(5_000));
        redis.call("ZADD", KEYS.get(1), "7", "garbage");
        redis.call("ZADD", KEYS.get(1), "8", "y".repeat(9_000));
        assertThat(tell()).containsExactly(acme);
    }
}
