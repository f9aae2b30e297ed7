package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Eventually;
import dev.sluice.MachineWatch;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Window after window, the fleet admits the threshold between its instances and not one call more. */
@Timeout(120) // of some games
@Tag("store")
class WindowsTest {

    private static final int THRESHOLD = 100;
    private static final int WINDOWS = 4;

    /** What was admitted in whole windows under three times the load that the limit allows. */
    private static List<Long> admittedInWindows(Sync sync, int threadsEach) {
        Limits limits = Fleet.limits(Fleet.patient(), Fleet.tier(THRESHOLD, Duration.ofSeconds(1), sync));
        Duration pause = Duration.ofSeconds(3L * threadsEach).dividedBy(3 * THRESHOLD);
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = Fleet.ofThree(limits, redis.patientUri())) {
            Load load = Load.start(fleet.limiters(), threadsEach, Fleet.tenants(1), pause);
            Eventually.await("windows", () -> load.admittedInWindows().size() >= WINDOWS + 2);
            load.stop();
            assertThat(load.thrown()).isEmpty();
            return load.admittedInWindows();
        }
    }

    @Test
    void withoutSlackNoWindowIsOverByOneCall() throws Exception {
        assertAdmittedInEach(THRESHOLD * 98 / 100, Fleet.slack(0, 100), 4);
    }

    @Test
    void strictNoWindowIsOverByOneCallAndEachIsFilled() throws Exception {
        assertAdmittedInEach(THRESHOLD, new Sync(Duration.ofMillis(100), 0, true), 16);
    }

    /** While the machine stands still, too few calls are made, or one counts as of the window before. */
    private static void assertAdmittedInEach(int least, Sync sync, int threadsEach) throws Exception {
        MachineWatch.playAgain(MachineWatch.HARMLESS, watch -> {
            List<Long> admitted = admittedInWindows(sync, threadsEach);
            assertThat(admitted).allMatch(calls -> calls <= THRESHOLD);
            assertThat(admitted.subList(1, WINDOWS + 1)).allMatch(calls -> calls >= least);
        });
    }
}
