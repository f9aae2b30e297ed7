package dev.sluice.benchmarks.trouble;

import static dev.sluice.benchmarks.trouble.Excuse.FORGOTTEN;
import static dev.sluice.benchmarks.trouble.Excuse.KILLED;
import static dev.sluice.benchmarks.trouble.Excuse.RAISED;
import static dev.sluice.benchmarks.trouble.Excuse.UNAVAILABLE;
import static dev.sluice.benchmarks.trouble.Excuse.UNRESPONSIVE;
import static dev.sluice.benchmarks.trouble.World.Store.CLUSTER;
import static dev.sluice.benchmarks.trouble.World.Store.NONE;
import static dev.sluice.benchmarks.trouble.World.Store.REDIS;
import static dev.sluice.benchmarks.trouble.World.Store.SENTINEL;

import dev.sluice.benchmarks.trouble.World.Store;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.FaultyProxy.Cut;
import dev.sluice.internal.store.redis.server.RedisServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A kind of failure, with the promises that are checked. Calls are made before, during and after the failure.
 */
enum TroubleScene {
    ALONE("check: each instance counts alone", NONE, excused(), world -> world.seconds(4)) {
        @Override
        Set<Promise> mustBreak() {
            return EnumSet.of(Promise.WITHIN, Promise.COUNTED, Promise.RECOVERED, Promise.EXACT);
        }
    },
    SABOTAGE("check: an instance answers at random", REDIS, excused(), world -> {
        world.instance(0).tell(InstanceMain.SABOTAGE);
        world.seconds(4);
        world.instance(0).tell(InstanceMain.SABOTAGE);
    }) {
        @Override
        Set<Promise> mustBreak() {
            return EnumSet.of(Promise.ANSWERED, Promise.NOT_EARLY, Promise.EXACT);
        }
    },

    CALM("nothing is wrong", REDIS, excused(), world -> world.seconds(5)),
    SLOW("Redis answers 5 ms late", REDIS, excused(), world -> {
        world.links().forEach(link -> link.delayReplies(Duration.ofMillis(5)));
        world.seconds(5);
        world.links().forEach(link -> link.delayReplies(Duration.ZERO));
    }),
    EMPTIED("Redis is emptied, three times", REDIS, excused(FORGOTTEN), world -> {
        for (int i = 0; i < 3; i++) {
            world.emptyServers();
            world.seconds(1.5);
        }
    }),
    MOMENTS("somebody stalls for 20 to 200 ms, 25 times", REDIS, excused(), world -> {
        for (int i = 0; i < 25; i++) {
            double seconds = 0.02 + 0.18 * world.random().nextDouble();
            if (world.random().nextInt(World.INSTANCES + 1) == 0) {
                freeze(world, world.master(), seconds);
            } else {
                pause(world, world.anyInstance(), seconds);
            }
            world.seconds(0.3);
        }
    }),
    STALLS("Redis stalls for 0.6 s, five times", REDIS, excused(UNAVAILABLE), world -> {
        for (int i = 0; i < 5; i++) {
            freeze(world, world.master(), 0.6);
            world.seconds(0.7);
        }
    }),
    FROZEN("Redis is frozen for 5 s", REDIS, excused(UNAVAILABLE), world -> freeze(world, world.master(), 5)),
    REDIS_KILLED(
            "Redis is killed, and starts empty after 4 s",
            REDIS,
            excused(UNAVAILABLE),
            world -> restart(world, world.master(), 4)),
    CUT_CALLS("connections break within exchanges", REDIS, excused(UNAVAILABLE), world -> {
        Cut[] cuts = Cut.values();
        for (int i = 0; i < 30; i++) {
            FaultyProxy link = world.links().get(world.random().nextInt(World.INSTANCES));
            link.cutNext(cuts[world.random().nextInt(cuts.length)]);
            world.seconds(0.2);
        }
    }),
    CUT_OFF("all instances are cut off for 5 s", REDIS, excused(UNAVAILABLE), world -> cutOff(world, world.links(), 5)),
    CUT_ONE(
            "one instance is cut off for 8 s",
            REDIS,
            excused(UNAVAILABLE, UNRESPONSIVE),
            world -> cutOff(world, world.links().subList(0, 1), 8)),
    CUT_ONE_DENYING("the same, while onFailure is deny", REDIS, excused(UNRESPONSIVE), world -> {
        world.reloadWith("store: { onFailure: deny }\n");
        world.seconds(0.5);
        cutOff(world, world.links().subList(0, 1), 8);
        world.seconds(3);
        world.reloadWith("");
    }),
    CUT_LONG("replies are lost, then all instances are cut off for 62 s", REDIS, excused(UNAVAILABLE), world -> {
        world.loseReplies();
        cutOff(world, world.links(), 62);
    }),
    KILL("an instance is killed, another starts", REDIS, excused(KILLED, UNRESPONSIVE), world -> {
        world.kill(1);
        world.seconds(2);
        world.replace(1);
    }),
    PAUSE("an instance is paused for 3 s", REDIS, excused(UNRESPONSIVE), world -> pause(world, world.instance(2), 3)),
    PAUSE_LONG(
            "an instance is paused for 9 s, past its lease",
            REDIS,
            excused(UNRESPONSIVE),
            world -> pause(world, world.instance(2), 9)),
    HICCUPS("instances stall for 0.4 s, ten times", REDIS, excused(UNAVAILABLE, UNRESPONSIVE), world -> {
        for (int i = 0; i < 10; i++) {
            pause(world, world.anyInstance(), 0.4);
            world.seconds(0.2);
        }
    }),
    CLOCK("a clock steps by a day and back", REDIS, excused(), world -> {
        for (String step : List.of("PT25H", "PT-50H", "PT25H")) {
            world.instance(0).tell(InstanceMain.CLOCK + step);
            world.seconds(2);
        }
    }),
    RELOADS("good and bad files, 24 times", REDIS, excused(), world -> {
        for (int i = 0; i < 8; i++) {
            for (String end : List.of("  - { id: other, pathPattern: /other }\n", "  - { id: \n", "")) {
                world.reloadWith(end);
                world.seconds(0.25);
            }
        }
    }),
    RAISE_UNDER_WAITS("limits change, while calls wait for Redis", REDIS, excused(RAISED), world -> {
        world.links().forEach(link -> link.delayReplies(Duration.ofMillis(20)));
        for (int i = 0; i < 12; i++) {
            world.raiseLimits();
            world.seconds(0.25);
            world.reloadWith("");
            world.seconds(0.25);
        }
        world.links().forEach(link -> link.delayReplies(Duration.ZERO));
    }),
    RAISE_WHILE_UNAVAILABLE("limits change, while Redis is cut off", REDIS, excused(UNAVAILABLE, RAISED), world -> {
        world.links().forEach(FaultyProxy::refuse);
        for (int i = 0; i < 10; i++) {
            world.raiseLimits();
            world.seconds(0.5);
            world.reloadWith("");
            world.seconds(0.5);
        }
        world.links().forEach(FaultyProxy::admit);
    }),
    RAISE("limits are raised, and lowered again", REDIS, excused(RAISED), world -> {
        world.raiseLimits();
        world.seconds(4);
        world.reloadWith("");
        world.seconds(1);
    }),

    NODE_FROZEN(
            "a node of the Cluster is frozen for 5 s",
            CLUSTER,
            excused(UNAVAILABLE),
            world -> freeze(world, world.master(), 5)),
    NODE_KILLED(
            "a node is killed, and starts empty after 4 s",
            CLUSTER,
            excused(UNAVAILABLE),
            world -> restart(world, world.master(), 4)),
    CLUSTER_EMPTIED("all nodes are emptied", CLUSTER, excused(FORGOTTEN), world -> {
        world.emptyServers();
        world.seconds(4);
    }),

    FAIL_OVER("Sentinel makes the replica master", SENTINEL, excused(UNAVAILABLE), world -> {
        world.failOver();
        world.seconds(12);
    }),
    MASTER_FROZEN(
            "the master is frozen for 5 s",
            SENTINEL,
            excused(UNAVAILABLE),
            world -> freeze(world, world.master(), 5)),
    MASTER_KILLED(
            "the master is killed, and returns after 6 s",
            SENTINEL,
            excused(UNAVAILABLE),
            world -> restart(world, world.master(), 6));

    private final String title;
    private final Store store;
    private final Set<Excuse> excuses;
    private final Consumer<World> trouble;

    TroubleScene(String title, Store store, Set<Excuse> excuses, Consumer<World> trouble) {
        this.title = title;
        this.store = store;
        this.excuses = excuses;
        this.trouble = trouble;
    }

    private static Set<Excuse> excused(Excuse... excuses) {
        Set<Excuse> set = EnumSet.noneOf(Excuse.class);
        set.addAll(List.of(excuses));
        return set;
    }

    private static void freeze(World world, RedisServer server, double seconds) {
        server.freeze();
        world.seconds(seconds);
        server.thaw();
    }

    private static void restart(World world, RedisServer server, double seconds) {
        server.kill();
        world.seconds(seconds);
        server.start();
    }

    private static void cutOff(World world, List<FaultyProxy> links, double seconds) {
        links.forEach(FaultyProxy::refuse);
        world.seconds(seconds);
        links.forEach(FaultyProxy::admit);
    }

    private static void pause(World world, InstanceProcess instance, double seconds) {
        instance.freeze();
        world.seconds(seconds);
        instance.thaw();
    }

    String title() {
        return title;
    }

    Store store() {
        return store;
    }

    Set<Excuse> excuses() {
        return excuses;
    }

    /** Causes the failure, and returns when it has ended. */
    void trouble(World world) {
        trouble.accept(world);
    }

    /**
     * Whether the given promise is checked in this scene. Exactness is not promised if the documentation allows any
     * exception.
     */
    boolean promises(Promise promise) {
        return promise != Promise.EXACT || excuses.isEmpty();
    }

    /** The promises that this scene breaks on purpose, to verify that the ledger detects it. */
    Set<Promise> mustBreak() {
        return EnumSet.noneOf(Promise.class);
    }
}
