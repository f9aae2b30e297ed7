package dev.sluice.internal.instance.status;

import dev.sluice.Eventually;
import dev.sluice.internal.store.OperatedStore;
import dev.sluice.internal.store.admin.BlockStore;
import dev.sluice.internal.store.redis.server.DocumentedRights;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("store")
class RedisBlockedFleetTest extends BlockedFleetContract {

    @RegisterExtension
    static final RedisServer redis = RedisServer.open();

    private static String uri;

    @BeforeAll
    static void nameUser() {
        uri = DocumentedRights.uri(redis);
    }

    @Override
    BlockStore connect() {
        OperatedStore store = OperatedStore.open(uri);
        store.overrides().close();
        store.instances().close();
        store.counters().close();
        Eventually.await(
                "an answer",
                () -> store.blocks()
                        .exchange(BlockStore.NOTHING, List.of())
                        .handle((version, failure) -> failure == null)
                        .toCompletableFuture()
                        .join());
        return store.blocks();
    }
}
