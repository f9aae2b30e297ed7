package dev.sluice.internal.store.redis.server;

import dev.sluice.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A Redis Cluster of three masters on loopback, put together with plain commands. */
public final class RedisCluster implements AutoCloseable {

    private static final int SLOTS = 16384;
    private static final int MASTERS = 3;

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster() {}

    /** Starts one, whose nodes have these further options. */
    public static RedisCluster open(String... options) {
        List<String> all = new ArrayList<>(List.of(
                "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf", "--cluster-node-timeout", "3000"));
        all.addAll(List.of(options));
        RedisCluster cluster = new RedisCluster();
        for (int i = 0; i < MASTERS; i++) {
            cluster.nodes.add(RedisServer.open(all.toArray(String[]::new)));
        }
        cluster.meet();
        return cluster;
    }

    public List<RedisServer> nodes() {
        return nodes;
    }

    public String uri() {
        return nodes.stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    /** The slot of the keys with this hash tag. */
    public int slot(String tag) {
        return ((Long) nodes.get(0).call("CLUSTER", "KEYSLOT", "{" + tag + "}")).intValue();
    }

    /** The node that serves a slot, as long as only {@link #beginMigration} and its like have moved it. */
    public RedisServer owner(int slot) {
        for (RedisServer node : nodes) {
            for (Object range : (List<?>) node.call("CLUSTER", "SLOTS")) {
                List<?> parts = (List<?>) range;
                Long port = (Long) ((List<?>) parts.get(2)).get(1);
                if ((Long) parts.get(0) <= slot && slot <= (Long) parts.get(1) && port == node.port()) {
                    return node;
                }
            }
        }
        throw new IllegalStateException("nobody serves slot " + slot);
    }

    /**
     * Opens a slot for migration: the source asks callers to go on to the target for keys it does not have any more.
     */
    public void beginMigration(int slot, RedisServer source, RedisServer target) {
        target.call("CLUSTER", "SETSLOT", slot + "", "IMPORTING", id(source));
        source.call("CLUSTER", "SETSLOT", slot + "", "MIGRATING", id(target));
    }

    /** Moves up to so many keys; answers how many. */
    public int migrateKeys(int slot, RedisServer source, RedisServer target, int atMost) {
        List<?> keys = (List<?>) source.call("CLUSTER", "GETKEYSINSLOT", slot + "", atMost + "");
        for (Object key : keys) {
            source.call("MIGRATE", "127.0.0.1", target.port() + "", (String) key, "0", "5000");
        }
        return keys.size();
    }

    /** Gives the slot to the target, on all nodes. */
    public void endMigration(int slot, RedisServer target) {
        target.call("CLUSTER", "SETSLOT", slot + "", "NODE", id(target));
        nodes.forEach(node -> node.call("CLUSTER", "SETSLOT", slot + "", "NODE", id(target)));
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    private static String id(RedisServer node) {
        return (String) node.call("CLUSTER", "MYID");
    }

    private void meet() {
        for (int i = 0; i < MASTERS; i++) {
            RedisServer node = nodes.get(i);
            List<String> addSlots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
            IntStream.range(SLOTS * i / MASTERS, SLOTS * (i + 1) / MASTERS)
                    .forEach(slot -> addSlots.add(String.valueOf(slot)));
            node.call(addSlots.toArray(String[]::new));
            node.call("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
            nodes.get(0).call("CLUSTER", "MEET", "127.0.0.1", String.valueOf(node.port()));
        }
        Eventually.await("a cluster that is ready", () -> nodes.stream().allMatch(RedisCluster::isReady));
    }

    private static boolean isReady(RedisServer node) {
        String info = (String) node.call("CLUSTER", "INFO");
        return info.contains("cluster_state:ok")
                && info.contains("cluster_known_nodes:" + MASTERS)
                && ((List<?>) node.call("CLUSTER", "SLOTS")).size() == MASTERS;
    }
}
