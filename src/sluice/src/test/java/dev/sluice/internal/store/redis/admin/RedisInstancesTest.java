package dev.sluice.internal.store.redis.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances are known on a store as long as they write, and whatever else stands there does no harm. */
@Tag("store")
class RedisInstancesTest {

    private static final InstanceReport ONE =
            new InstanceReport("one-4711", "one & \u00e4ll", "v 1", 5000, "d1", "acme=3");

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private OperatedStore store;

    @BeforeEach
    void open() {
        store = OperatedStore.open(DocumentedRights.uri(redis));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static <T> T done(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private List<InstanceReport> all() {
        return done(store.instances().all());
    }

    @Test
    void tellsWhatAnInstanceWrote() {
        done(store.instances().write(ONE, "its limits"));
        assertThat(all()).containsExactly(ONE);
        assertThat(done(store.instances().limitsOfFile("d1"))).isEqualTo("its limits");
        done(store.instances().leave(ONE.name()));
        assertThat(all()).isEmpty();
    }

    @Test
    void sendsDefinitionsOnlyWhereTheyAreMissing() {
        done(store.instances().write(ONE, "its limits"));
        redis.call("SET", "sluice:{limits}:file:d1", "kept", "PX", "100000");
        done(store.instances().write(ONE, "sent again"));
        assertThat(done(store.instances().limitsOfFile("d1"))).isEqualTo("kept");
    }

    @Test
    void leavesNothingWithoutATimeToLive() {
        done(store.instances().write(ONE, "its limits"));
        List<?> keys = (List<?>) redis.call("KEYS", "*");
        assertThat(keys)
                .hasSize(3)
                .allSatisfy(key -> assertThat((Long) redis.call("PTTL", (String) key))
                        .isBetween(1L, 2 * Instances.LIFE.toMillis()));
    }

    @Test
    void forgetsWhoIsGone() {
        redis.call("ZADD", "sluice:{limits}:instances", "1", "gone");
        assertThat(all()).isEmpty();
        done(store.instances().write(ONE, ""));
        assertThat(redis.call("ZCARD", "sluice:{limits}:instances")).isEqualTo(1L);
    }

    @Test
    void leavesOutWhatIsGarbled() {
        done(store.instances().write(ONE, ""));
        redis.call("ZADD", "sluice:{limits}:instances", "9999999999999", "text", "9999999999999", "list");
        redis.call("SET", "sluice:{limits}:instance:text", "refresh=soon server=%zz");
        redis.call("LPUSH", "sluice:{limits}:instance:list", "x");
        assertThat(all()).containsExactly(ONE);
        redis.call("SET", "sluice:{limits}:instances", "garbled");
        done(store.instances().write(ONE, ""));
        assertThat(all()).containsExactly(ONE);
    }
}
