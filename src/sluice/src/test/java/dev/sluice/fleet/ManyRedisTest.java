package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.MachineWatch;
import dev.sluice.internal.store.redis.server.RedisCluster;
import dev.sluice.internal.store.redis.server.RedisSentinels;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A fleet on several Redis servers that act as one. */
@Timeout(120) // of some games
@Tag("store")
@Tag("thorough")
class ManyRedisTest {

    @Test
    void aFleetOnAClusterAdmitsOneThresholdWhileASlotMoves() {
        int threshold = 200;
        // the leases of five intervals outlast the move, during which the slot answers nobody
        Limits limits = Fleet.limits(Fleet.patient(), Fleet.tier(threshold, Fleet.FOR_EVER, Fleet.slack(0, 500)));
        List<Call> tenants = Fleet.tenants(20);
        try (LogLines log = new LogLines();
                RedisCluster cluster = RedisCluster.open();
                Fleet fleet = Fleet.ofThree(limits, cluster.uri() + "?timeout=5s")) {
            Load load = Load.start(fleet.limiters(), 2, tenants, Duration.ofMillis(1));
            Eventually.await("calls", () -> load.admitted() > threshold);

            int shard =
                    fleet.limiters().get(0).explain(tenants.get(0)).get(0).key().shard();
            move(cluster, cluster.slot(CounterKey.tag(shard)));
            Eventually.await("all thresholds", () -> load.admitted() >= (long) threshold * tenants.size());
            long before = load.made();
            Eventually.await("more calls", () -> load.made() > before + 1_000);
            load.stop();

            assertThat(load.thrown()).isEmpty();
            assertThat(log.with("ERROR")).isEmpty();
            assertThat(tenants)
                    .allSatisfy(tenant -> assertThat(load.admitted(tenant)).isEqualTo(threshold));
        }
    }

    /** Moves a slot to another node, key by key. */
    private static void move(RedisCluster cluster, int slot) {
        RedisServer source = cluster.owner(slot);
        RedisServer target = cluster.nodes().get((cluster.nodes().indexOf(source) + 1) % 3);
        cluster.beginMigration(slot, source, target);
        do {
            Eventually.pause(20);
        } while (cluster.migrateKeys(slot, source, target, 1) > 0);
        cluster.endMigration(slot, target);
    }

    @Test
    void aFleetContinuesWhenSentinelsElectAnotherMaster() throws Exception {
        MachineWatch.playAgain(MachineWatch.HARMLESS, watch -> electAnotherMaster());
    }

    private static void electAnotherMaster() {
        Limits limits =
                Fleet.limits(SharingOptions.DEFAULT, Fleet.tier(10_000_000, Fleet.FOR_EVER, Fleet.slack(0.01, 50)));
        try (LogLines log = new LogLines();
                RedisSentinels sentinels = RedisSentinels.open();
                Fleet fleet = Fleet.ofThree(limits, sentinels.uri())) {
            Load load = Load.start(fleet.limiters(), 1, Fleet.tenants(25), Duration.ofMillis(1));
            Eventually.await("calls", () -> load.made() > 1_000);

            sentinels.master().kill();
            List<Call> tenants = Fleet.tenants(25);
            long counted = fleet.total(sentinels.replica(), tenants.get(0));
            Eventually.await("the new master", () -> fleet.total(sentinels.replica(), tenants.get(0)) > counted);
            long before = load.made();
            Eventually.await("more calls", () -> load.made() > before + 1_000);
            load.stop();
            fleet.settle();
            Eventually.await(
                    "each instance that said unavailable to say back",
                    () -> log.with("The store is back").size()
                            == log.with("The store is unavailable").size());

            assertThat(load.thrown()).isEmpty();
            assertThat(load.admitted()).isEqualTo(load.made());
            assertThat(load.percentSlow()).isLessThan(1);
            assertThat(log.with("The store is unavailable")).hasSizeLessThanOrEqualTo(3);
            assertThat(tenants)
                    .allSatisfy(tenant ->
                            assertThat(fleet.total(sentinels.replica(), tenant)).isPositive());
        }
    }
}
