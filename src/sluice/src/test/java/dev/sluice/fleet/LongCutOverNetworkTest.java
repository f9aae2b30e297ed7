package dev.sluice.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.store.Exchanges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three limiters whose connections are cut when Redis has applied a batch and not yet answered. They stay cut until
 * Redis has forgotten its answers: for that, the test lets the records expire.
 */
@Timeout(60)
@Tag("store")
@Tag("thorough")
class LongCutOverNetworkTest {

    private static final int CUTS = 3;
    private static final String SHARES = "sluice:{0/16}:!shares";
    private static final Limits LIMITS = Fleet.sharing(
            new SharingOptions(OnFailure.LOCAL, Duration.ofMillis(500)),
            TestLimits.of(
                    endpoint("a", "/a", Fleet.tier(10_000_000, Fleet.FOR_EVER, Fleet.slack(0, 100))),
                    endpoint("few", "/few", Fleet.tier(5_000, Fleet.FOR_EVER, Fleet.slack(0, 100)))));

    @Test
    void noCallCountsTwiceThoughTheAnswersAreForgotten() {
        List<Call> tenants = new ArrayList<>(Fleet.tenants(10));
        tenants.add(TestCall.get("/few").of("tenant-0"));
        try (LogLines log = new LogLines();
                RedisServer redis = RedisServer.open();
                Fleet fleet = new Fleet()) {
            List<FaultyProxy> networks = Stream.generate(() -> new FaultyProxy(redis.port()))
                    .limit(3)
                    .toList();
            networks.forEach(network -> fleet.join(LIMITS, "redis://127.0.0.1:" + network.port() + "?timeout=300ms"));
            Load load = Load.start(fleet.limiters(), 1, tenants, Duration.ofMillis(1));
            for (int cut = 1; cut <= CUTS; cut++) {
                goOn(load);
                networks.forEach(network -> network.cutForLong(FaultyProxy.Cut.BEFORE_REPLY));
                int cuts = cut;
                Eventually.await("cuts", () -> networks.stream().allMatch(network -> network.cuts() == cuts));
                goOn(load);
                forgetAnswers(redis);
                networks.forEach(FaultyProxy::admit);
                int outages = 3 * cut;
                Eventually.await(
                        "the store is back", () -> log.with("The store is back").size() >= outages);
            }
            goOn(load);
            load.stop();
            fleet.settle();
            fleet.limiters().forEach(CountingRateLimiter::close);
            networks.forEach(FaultyProxy::close);

            assertThat(load.thrown()).isEmpty();
            assertThat(tenants)
                    .allSatisfy(tenant -> assertThat(fleet.total(redis, tenant)).isEqualTo(load.admitted(tenant)));
            assertThat(log.with("ERROR")).isEmpty();
            assertThat(log.with("already recorded them")).isEmpty();
        }
    }

    /** Lets the leases end, too. */
    private static void goOn(Load load) {
        long before = load.made();
        long begun = System.nanoTime();
        Eventually.await(
                "calls, for longer than a lease",
                () -> load.made() > before + 500 && System.nanoTime() - begun > 700_000_000L);
    }

    /** Lets all answers expire, and another instance clear up. */
    private static void forgetAnswers(RedisServer redis) {
        try (CounterStore other = CounterStores.open(redis.uri())) {
            String name = "other-" + Exchanges.unique();
            Exchanges.exchangeInTheEnd(other, Exchanges.batch(name, 1));
            redis.call("EVAL", """
                for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
                  if field:sub(1, 8) == '!answer:' then
                    local answer = redis.call('HGET', KEYS[1], field)
                    redis.call('HSET', KEYS[1], field, (answer:gsub('^%d+ (%d+) (%d+) %d+', '1 %1 %2 0')))
                  end
                end\
                """, "1", SHARES);
            Exchanges.exchangeInTheEnd(other, Exchanges.batch(name, 2));
        }
        assertThat((List<?>) redis.call("HKEYS", SHARES))
                .filteredOn(field -> ((String) field).startsWith("!answer:"))
                .hasSize(1);
    }
}
