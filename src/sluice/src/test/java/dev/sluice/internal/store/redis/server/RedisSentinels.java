package dev.sluice.internal.store.redis.server;

import dev.sluice.Eventually;

/** A master, its replica and a sentinel that makes the replica master when the master is gone. */
public final class RedisSentinels implements AutoCloseable {

    private static final String MASTER = "mymaster";

    private final RedisServer master = RedisServer.open();
    private final RedisServer replica = RedisServer.open("--replicaof", "127.0.0.1", String.valueOf(master.port()));
    private final RedisServer sentinel = RedisServer.open("--sentinel");

    private RedisSentinels() {}

    public static RedisSentinels open() {
        RedisSentinels all = new RedisSentinels();
        all.watch();
        return all;
    }

    public RedisServer master() {
        return master;
    }

    public RedisServer replica() {
        return replica;
    }

    public String uri() {
        return "redis-sentinel://127.0.0.1:" + sentinel.port() + "#" + MASTER;
    }

    /** Makes the replica master while the master is well. */
    public void failOver() {
        Eventually.await(() -> "a fail-over:\n" + sentinel.log(), () -> {
            try {
                sentinel.call("SENTINEL", "FAILOVER", MASTER);
                return true;
            } catch (RedisWire.Refused notYet) {
                return false;
            }
        });
    }

    @Override
    public void close() {
        sentinel.close();
        replica.close();
        master.close();
    }

    private void watch() {
        sentinel.call("SENTINEL", "MONITOR", MASTER, "127.0.0.1", String.valueOf(master.port()), "1");
        sentinel.call("SENTINEL", "SET", MASTER, "down-after-milliseconds", "500", "failover-timeout", "3000");
        awaitText(replica, "replication", "master_link_status:up");
        awaitText(sentinel, "sentinel", "slaves=1");
    }

    private static void awaitText(RedisServer server, String section, String text) {
        Eventually.await(
                () -> text + ":\n" + server.log(), () -> ((String) server.call("INFO", section)).contains(text));
    }
}
