package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.MachineWatch;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many threads call at once for few callers, so that some calls wait for permits while later calls find some.
 */
@Timeout(240) // of some games
@Tag("store")
class CrowdTest {

    private static final int TENANTS = 10;
    private static final int LIMIT = 2_000;
    private static final int CALLS = 2 * LIMIT;

    @Test
    void admitsTheWholeLimitOfEachCallerAndForgetsNoWaitingCall() throws Exception {
        MachineWatch.playAgain(MachineWatch.HARMLESS, watch -> callAtOnce());
    }

    private static void callAtOnce() {
        Limits limits = Fleet.sharing(
                Fleet.patient(), Fleet.limits(Fleet.patient(), Fleet.tier(LIMIT, Fleet.FOR_EVER, Fleet.slack(0, 100))));
        List<Call> tenants = Fleet.tenants(TENANTS);
        AtomicIntegerArray admitted = new AtomicIntegerArray(TENANTS);
        AtomicLong longestNanos = new AtomicLong();
        try (RedisServer redis = RedisServer.open();
                Fleet fleet = Fleet.ofThree(limits, redis.patientUri())) {
            Callers.share(48, TENANTS * CALLS, i -> {
                int tenant = (int) (i * 31L % TENANTS);
                long began = System.nanoTime();
                if (fleet.limiters().get(i % 3).decide(tenants.get(tenant)).admitted()) {
                    admitted.incrementAndGet(tenant);
                }
                longestNanos.accumulateAndGet(System.nanoTime() - began, Math::max);
            });
        }
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            assertThat(admitted.get(tenant)).as("tenant " + tenant).isEqualTo(LIMIT);
        }
        assertThat(TimeUnit.NANOSECONDS.toSeconds(longestNanos.get()))
                .as("seconds of the longest call, of at most 20")
                .isLessThan(10);
    }
}
