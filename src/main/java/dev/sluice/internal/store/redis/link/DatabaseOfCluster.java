package dev.sluice.internal.store.redis.link;

import io.lettuce.core.ConnectionState;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.json.JsonParser;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * A client for a numbered database of a cluster, which Valkey supports from version 9 on. Lettuce does not select
 * databases on a cluster, but its handshake selects again what a connection had selected before. So each connection to
 * a node pretends to have selected the database.
 */
final class DatabaseOfCluster extends RedisClusterClient {

    private final int database;

    DatabaseOfCluster(ClientResources resources, Iterable<RedisURI> uris, int database) {
        super(resources, uris);
        this.database = database;
    }

    @Override
    protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
            RedisChannelWriter writer,
            PushHandler push,
            RedisCodec<K, V> codec,
            Duration timeout,
            Supplier<JsonParser> parser) {
        ConnectionState state = new Selected(database);
        return new StatefulRedisConnectionImpl<>(writer, push, codec, timeout, parser) {
            @Override
            public ConnectionState getConnectionState() {
                return state;
            }
        };
    }

    private static final class Selected extends ConnectionState {
        Selected(int database) {
            setDb(database);
        }
    }
}
