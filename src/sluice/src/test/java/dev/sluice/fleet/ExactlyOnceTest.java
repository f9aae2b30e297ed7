package dev.sluice.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.MachineWatch;
import dev.sluice.exchange.Batch;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis has recorded exactly what the fleet has admitted, regardless of what the network does. */
@Timeout(60)
@Tag("store")
class ExactlyOnceTest {

    /** Many, since a connection takes a tenth of a second to be made again. */
    private static final int LIMITERS = 12;

    private static final int CUTS_EACH = 84;

    /**
     * A cut connection is made again in this time, so nobody hears of it, unless the machine stands still meanwhile.
     */
    private static final Duration CUT_IS_MENDED = Duration.ofMillis(100);

    @Test
    void aThousandCutConnectionsLoseAndInventNoCall() {
        Limits limits =
                Fleet.limits(SharingOptions.DEFAULT, Fleet.tier(10_000_000, Fleet.FOR_EVER, Fleet.slack(0.01, 5)));
        List<Call> tenants = Fleet.tenants(10);
        long began = System.nanoTime();
        try (MachineWatch watch = new MachineWatch();
                LogLines log = new LogLines();
                RedisServer redis = RedisServer.open();
                Fleet fleet = new Fleet()) {
            List<FaultyProxy> networks = IntStream.range(0, LIMITERS)
                    .mapToObj(i -> new FaultyProxy(redis.port()))
                    .toList();
            for (FaultyProxy network : networks) {
                fleet.join(
                        limits,
                        "redis://127.0.0.1:" + network.port(),
                        InstantSource.system(),
                        new Cutter(network, CUTS_EACH));
            }
            Load load = Load.start(fleet.limiters(), 1, tenants, Duration.ofMillis(1));

            Eventually.await("a thousand cuts", () -> cuts(networks) >= LIMITERS * CUTS_EACH);
            load.stop();
            fleet.settle();
            fleet.limiters().forEach(CountingRateLimiter::close);

            networks.forEach(FaultyProxy::close);
            assertThat(load.thrown()).isEmpty();
            assertThat(cuts(networks)).isGreaterThan(1_000);
            assertThat(load.admitted()).isEqualTo(load.made());
            assertThat(tenants)
                    .allSatisfy(tenant -> assertThat(fleet.total(redis, tenant)).isEqualTo(load.admitted(tenant)));
            assertThat(log.with("ERROR")).isEmpty();
            if (watch.standstill(CUT_IS_MENDED, began, System.nanoTime()).isEmpty()) {
                assertThat(log.with("The store is unavailable")).hasSizeLessThan(20);
            }
        }
    }

    private static int cuts(List<FaultyProxy> networks) {
        return networks.stream().mapToInt(FaultyProxy::cuts).sum();
    }

    /**
     * Cuts most exchanges when they are first tried, and some once more when they are sent again; a third cut would be
     * an outage worth a line.
     */
    private static final class Cutter implements Consumer<Batch> {

        private static final FaultyProxy.Cut[] CUTS = FaultyProxy.Cut.values();

        private final FaultyProxy network;
        private final int most;
        private final Random random = new Random(7);
        private long sequence;
        private int tries;

        Cutter(FaultyProxy network, int most) {
            this.network = network;
            this.most = most;
        }

        @Override
        public void accept(Batch batch) {
            tries = batch.sequence() == sequence ? tries + 1 : 0;
            sequence = batch.sequence();
            double chance = tries == 0 ? 0.9 : tries == 1 ? 0.2 : 0;
            if (network.cuts() < most && random.nextDouble() < chance) {
                network.cutNext(CUTS[random.nextInt(CUTS.length)]);
            }
        }
    }
}
