package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.FaultyProxy.Cut;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisSentinels;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.internal.store.redis.server.RedisWire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Three instances, their store and the network between them, with methods that cause failures in each of them. */
final class World implements AutoCloseable {

    static final int INSTANCES = 3;

    /** The number of additional calls that pass after {@link #raiseLimits}. */
    static final long RAISE = 20;

    private static final Pattern CALLER = Pattern.compile("sluice:\\{\\d+/16}:tenant=[^=]+=([^:]+):(?:page|bulk):.*");

    private static final String HEAD = "reload: 100ms\nendpoints:\n";

    /** The store in which instances count. */
    enum Store {
        /** A single Redis server. Each instance connects to it over a separate link. */
        REDIS,
        /** Three masters. */
        CLUSTER,
        /** A master, a replica, and a sentinel. */
        SENTINEL,
        /** There is no store. Each instance counts on its own, and the ledger must detect this. */
        NONE
    }

    /** The time at which an instance was killed or the store lost all data, by {@link System#nanoTime}. */
    record Blow(int instance, long nanos) {

        private static final int STORE = -1;

        boolean hits(CallLedger.Call call) {
            return call.instance() == instance;
        }

        /**
         * Whether a given time is near this one, that is, less than two intervals away. One interval would be too short
         * if the machine is busy.
         */
        boolean isNear(long otherNanos) {
            return Math.abs(otherNanos - nanos) < 2 * Excuse.INTERVAL_NANOS;
        }
    }

    private final Path directory;
    private final Path limits;
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<FaultyProxy> links = new ArrayList<>();
    private final List<InstanceProcess> instances = new CopyOnWriteArrayList<>();
    private final List<Blow> blows = new CopyOnWriteArrayList<>();
    private final IntFunction<String> uri;
    private final Random random;
    private RedisSentinels sentinels;

    /**
     * Starts the store, the network and the instances, and waits until all instances are listening.
     *
     * @param logs the folder for the instances' logs
     */
    World(Store store, long seed, Path logs) throws IOException {
        random = new Random(seed);
        directory = Files.createDirectories(logs.resolve(store.name().toLowerCase(Locale.ROOT)));
        limits = directory.resolve("rate-limits.yml");
        reload(limits(0, ""));
        try {
            uri = open(store);
            for (int i = 0; i < INSTANCES; i++) {
                instances.add(start(i));
            }
            instances.forEach(InstanceProcess::awaitAddress);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private IntFunction<String> open(Store store) {
        return switch (store) {
            case REDIS -> {
                RedisServer redis = RedisServer.open();
                opened.add(redis);
                servers.add(redis);
                for (int i = 0; i < INSTANCES; i++) {
                    links.add(new FaultyProxy(redis.port()));
                }
                opened.addAll(links);
                yield i -> "redis://127.0.0.1:" + links.get(i).port();
            }
            case CLUSTER -> {
                RedisCluster cluster = RedisCluster.open();
                opened.add(cluster);
                servers.addAll(cluster.nodes());
                yield i -> cluster.uri();
            }
            case SENTINEL -> {
                sentinels = RedisSentinels.open();
                opened.add(sentinels);
                servers.addAll(List.of(sentinels.master(), sentinels.replica()));
                yield i -> sentinels.uri();
            }
            case NONE -> i -> "memory:";
        };
    }

    private InstanceProcess start(int number) {
        return new InstanceProcess(limits, uri.apply(number), directory.resolve("instance-" + number + ".log"));
    }

    InstanceProcess instance(int number) {
        return instances.get(number);
    }

    List<InstanceProcess> instances() {
        return instances;
    }

    /** A random instance. */
    InstanceProcess anyInstance() {
        return instances.get(random.nextInt(INSTANCES));
    }

    /** The links between the instances and the single Redis server. */
    List<FaultyProxy> links() {
        return links;
    }

    /**
     * Waits until Redis has applied one more batch from each instance, then drops the reply and disconnects the
     * instance.
     */
    void loseReplies() {
        for (FaultyProxy link : links) {
            int cuts = link.cuts();
            link.cutNext(Cut.BEFORE_REPLY);
            while (link.cuts() == cuts) {
                Pause.millis(1);
            }
            link.refuse();
        }
    }

    /** All servers that contain data, including replicas. */
    List<RedisServer> servers() {
        return servers;
    }

    /** The single Redis server, the current master, or the first node of the cluster. */
    RedisServer master() {
        return servers.stream().filter(World::isMaster).findFirst().orElseThrow();
    }

    private static boolean isMaster(RedisServer server) {
        return ((String) server.call("INFO", "replication")).contains("role:master");
    }

    void failOver() {
        sentinels.failOver();
    }

    void emptyServers() {
        servers.stream().filter(World::isMaster).forEach(server -> server.call("FLUSHALL"));
        blows.add(new Blow(Blow.STORE, System.nanoTime()));
    }

    void kill(int number) {
        blows.add(new Blow(number, System.nanoTime()));
        instances.get(number).close();
    }

    /** Starts a new instance in place of one that was killed. */
    void replace(int number) {
        InstanceProcess other = start(number);
        other.awaitAddress();
        instances.set(number, other);
    }

    List<Blow> blows() {
        return blows;
    }

    void forgetBlows() {
        blows.clear();
    }

    Random random() {
        return random;
    }

    void seconds(double time) {
        Pause.millis((long) (time * 1000));
    }

    /**
     * Makes the instances reload the usual file with the given text appended, such as an additional limit or a mistake.
     */
    void reloadWith(String end) {
        reload(limits(0, end));
    }

    void raiseLimits() {
        reload(limits(RAISE, ""));
    }

    private static String limits(long more, String end) {
        return Stream.of(TroubleLimit.values())
                .map(limit -> limit.yaml(more))
                .collect(Collectors.joining("", HEAD, end));
    }

    private void reload(String text) {
        try {
            Path written = Files.writeString(directory.resolve("rate-limits.new"), text);
            Files.move(written, limits, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The number of permits used under limits with long windows according to the store, by the caller's name; empty if
     * the store does not respond.
     */
    Map<String, Long> totals() {
        Map<String, Long> totals = new HashMap<>();
        try {
            servers.stream().filter(World::isMaster).forEach(server -> addTotals(server, totals));
        } catch (RedisWire.Refused | UncheckedIOException e) {
            totals.clear();
        }
        return totals;
    }

    private static void addTotals(RedisServer server, Map<String, Long> totals) {
        try (RedisWire wire = new RedisWire(server.port())) {
            for (Object key : (List<?>) wire.call("KEYS", "sluice:*")) {
                Matcher caller = CALLER.matcher((String) key);
                if (caller.matches() && wire.call("GET", (String) key) instanceof String used) {
                    totals.merge(caller.group(1), Long.valueOf(used), Long::sum);
                }
            }
        }
    }

    @Override
    public void close() {
        instances.forEach(InstanceProcess::close);
        for (AutoCloseable one : opened) {
            try {
                one.close();
            } catch (Exception e) {
                System.err.println("cannot close " + one + ": " + e);
            }
        }
    }
}
