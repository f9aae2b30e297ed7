package dev.sluice.fleet;

import static dev.sluice.store.Exchanges.batch;
import static dev.sluice.store.Exchanges.exchangeInTheEnd;
import static dev.sluice.store.Exchanges.question;
import static dev.sluice.store.Exchanges.unique;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.CounterKey;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.exchange.CounterStore;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.mongo.MongoServerInProcess;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limiters that count together in MongoDB give their callers the whole limit and no more, whatever becomes of it. */
@Timeout(300)
@Tag("store")
@Tag("thorough")
class MongoFleetTest {

    private static final String UNAVAILABLE = "WARN The store is unavailable (";
    private static final String BACK = "INFO The store is back. ";
    /** An exchange that takes longer fails; answers are quicker, even on a busy machine. */
    private static final String QUICK = "timeoutMS=2500";

    private static final int FEW = 300;
    private static final Limits LIMITS = TestLimits.of(
            TestLimits.endpoint("a", "/a", Fleet.tier(10_000_000, Fleet.FOR_EVER, Fleet.slack(0.01, 200))),
            TestLimits.endpoint("few", "/few", Fleet.tier(FEW, Fleet.FOR_EVER, Fleet.slack(0, 200))));
    private static final Call LIMITED = TestCall.get("/few").of("tenant-0");

    private final LogLines log = new LogLines();
    private final MongoServerInProcess mongo = MongoServerInProcess.open();
    private final FaultyProxy network = new FaultyProxy(mongo.port());
    private final List<Call> tenants = Fleet.tenants(12);
    private final Fleet fleet = new Fleet();

    @AfterEach
    void close() {
        fleet.close();
        network.close();
        mongo.close();
        log.close();
    }

    private void openThree(Limits limits, String options) {
        for (int i = 0; i < 3; i++) {
            fleet.join(limits, "mongodb://127.0.0.1:" + network.port() + "/?" + options);
        }
    }

    private Load begin() {
        Load load = Load.start(fleet.limiters(), 1, tenants, Duration.ofMillis(2));
        Eventually.await("calls", () -> load.made() > 500);
        return load;
    }

    private void awaitAll(String line) {
        Eventually.await(line, () -> log.with(line).size() >= 3);
    }

    private static void goOn(Load load) {
        long before = load.made();
        Eventually.await("calls", () -> load.made() > before + 500);
    }

    private long total(Call call) {
        try (CounterStore direct = CounterStores.open(mongo.patientUri())) {
            return total(call, direct);
        }
    }

    private long total(Call call, CounterStore direct) {
        CounterKey key = fleet.limiters().get(0).explain(call).get(0).key();
        return exchangeInTheEnd(direct, batch(unique(), 1, question(key)))
                .grants()
                .get(0)
                .total();
    }

    /** Waits until nothing is held; then MongoDB has recorded exactly what was admitted. */
    private void assertRecordedAll(Load load) {
        load.stop();
        assertThat(load.thrown()).isEmpty();
        try (CounterStore direct = CounterStores.open(mongo.patientUri())) {
            for (Call tenant : tenants) {
                long admitted = load.admitted(tenant);
                Eventually.await(
                        () -> total(tenant, direct) + " were recorded, " + admitted + " admitted",
                        () -> total(tenant, direct) == admitted);
            }
            fleet.settle();
            fleet.limiters().forEach(CountingRateLimiter::close);
            assertThat(tenants)
                    .allSatisfy(tenant -> assertThat(total(tenant, direct)).isEqualTo(load.admitted(tenant)));
        }
        assertThat(log.with("ERROR Unexpected error while exchanging with the store"))
                .isEmpty();
    }

    /** Also what one instance holds is recalled for calls of the others. */
    @Test
    void theFleetAdmitsExactlyTheLimit() {
        openThree(Fleet.sharing(Fleet.patient(), LIMITS), "timeoutMS=20000");
        long admitted = 0;
        for (int i = 0; i < FEW / 3; i++) {
            admitted += fleet.limiters().get(0).decide(LIMITED).admitted() ? 1 : 0;
        }
        for (int i = 0; i < 2 * FEW; i++) {
            admitted += fleet.limiters().get(1 + i % 2).decide(LIMITED).admitted() ? 1 : 0;
        }
        assertThat(admitted).isEqualTo(FEW);
        assertThat(total(LIMITED)).isEqualTo(FEW);
    }

    @Test
    void anEmptyRestartedStoreLearnsAllAdmittedCalls() {
        openThree(LIMITS, QUICK);
        Load load = begin();
        mongo.stop();
        awaitAll(UNAVAILABLE);
        goOn(load);
        mongo.startEmpty();
        awaitAll(BACK);
        goOn(load);
        assertRecordedAll(load);
    }

    @Test
    void aFrozenStoreMissesNoCall() {
        openThree(LIMITS, QUICK);
        Load load = begin();
        network.freeze();
        awaitAll(UNAVAILABLE);
        goOn(load);
        network.thaw();
        awaitAll(BACK);
        goOn(load);
        assertRecordedAll(load);
    }

    @Test
    void aStoreThatWasCutOffMissesNoCall() {
        openThree(LIMITS, QUICK);
        Load load = begin();
        network.refuse();
        awaitAll(UNAVAILABLE);
        goOn(load);
        network.admit();
        awaitAll(BACK);
        goOn(load);
        assertRecordedAll(load);
    }

    @Test
    void strictLimitsAreNeverExceeded() {
        Limits strict = TestLimits.of(TestLimits.endpoint(
                "few", "/few", Fleet.tier(20, Fleet.FOR_EVER, new Sync(Duration.ofMillis(200), 0, true))));
        openThree(Fleet.sharing(Fleet.patient(), strict), "timeoutMS=20000");
        assertThat(IntStream.range(0, 60)
                        .filter(i -> fleet.limiters().get(i % 3).decide(LIMITED).admitted()))
                .hasSize(20);
    }

    @Test
    void noSecretOfTheUriIsLogged() {
        String uri = "mongodb://ann:hunter2@127.0.0.1:" + network.port() + "/?timeoutMS=300&authSource=admin";
        CountingRateLimiter limiter = fleet.join(
                Fleet.sharing(new SharingOptions(SharingOptions.OnFailure.LOCAL, Duration.ofMillis(50)), LIMITS), uri);
        limiter.decide(LIMITED);
        Eventually.await(
                "a warning",
                () -> !log.with("The store is unavailable").isEmpty()
                        || !log.with("WARN The store").isEmpty());
        assertThat(log.with("hunter2")).isEmpty();
    }
}
