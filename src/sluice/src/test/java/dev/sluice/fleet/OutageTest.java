package dev.sluice.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Eventually;
import dev.sluice.MachineWatch;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.store.redis.server.FaultyProxy;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * While Redis is unavailable, calls are decided at once and each instance keeps the limits; when it is back, counts go
 * on.
 */
@Timeout(120) // of some games
@Tag("store")
class OutageTest {

    private static final String UNAVAILABLE = "WARN The store is unavailable (";
    private static final String BACK =
            "INFO The store is back. Instances count " + "together again, and report calls admitted without it";
    private static final int FEW = 300;
    private static final Limits LIMITS = TestLimits.of(
            endpoint("a", "/a", Fleet.tier(10_000_000, Fleet.FOR_EVER, Fleet.slack(0.01, 100))),
            endpoint("few", "/few", Fleet.tier(FEW, Fleet.FOR_EVER, Fleet.slack(0.01, 100))));
    /** A pause of a busy machine is no outage: only what Lettuce reports within its own timeout, 300 ms, is one. */
    private static final Limits PATIENT =
            Fleet.sharing(new SharingOptions(OnFailure.LOCAL, Duration.ofMillis(500)), LIMITS);

    private static final Call LIMITED = TestCall.get("/few").of("tenant-0");

    /** While the machine stands still for longer, calls do not have their usual pace, nor answers. */
    private static final Duration HARMLESS = Duration.ofMillis(25);

    private final List<Call> tenants = new ArrayList<>(Fleet.tenants(24));
    private LogLines log;
    private RedisServer redis;
    private FaultyProxy network;
    private Fleet fleet;

    OutageTest() {
        tenants.add(LIMITED);
    }

    @BeforeEach
    void open() {
        log = new LogLines();
        redis = RedisServer.open();
        network = new FaultyProxy(redis.port());
        fleet = new Fleet();
    }

    @AfterEach
    void close() {
        fleet.close();
        network.close();
        redis.close();
        log.close();
    }

    /** Plays it, and plays it again with all that is new if the machine stood still. */
    private void play(Runnable game) throws Exception {
        MachineWatch.playAgain(HARMLESS, watch -> {
            try {
                game.run();
            } catch (RuntimeException | Error e) {
                close();
                open();
                throw e;
            }
        });
    }

    private Load begin(Limits limits) {
        for (int i = 0; i < 3; i++) {
            fleet.join(limits, "redis://127.0.0.1:" + network.port() + "?timeout=300ms");
        }
        Load load = Load.start(fleet.limiters(), 1, tenants, Duration.ofNanos(500_000));
        Eventually.await("calls", () -> load.made() > 1_000);
        return load;
    }

    private void awaitAll(String line) {
        Eventually.await(line, () -> log.with(line).size() >= 3);
    }

    private void goOn(Load load) {
        long before = load.made();
        Eventually.await("calls", () -> load.made() > before + 1_500);
    }

    private void assertDecidedAtOnceAndWithinTheLimitEach(Load load) {
        assertThat(load.thrown()).isEmpty();
        assertThat(load.percentSlow()).isLessThan(1);
        assertThat(load.mostAdmittedByOne(LIMITED)).isLessThanOrEqualTo(FEW);
        assertThat(log.with("ERROR")).isEmpty();
    }

    private void assertWarnedOnceEachAndToldTheEnd() {
        assertThat(log.with("WARN The store "))
                .hasSize(3)
                .allMatch(line -> line.contains(UNAVAILABLE)
                        && line.contains(
                                "). Until it answers, each instance counts alone, so each may admit up to the whole "
                                        + "limit. Sluice keeps trying, and logs when the store is back."));
        assertThat(log.with("INFO The store is back")).hasSize(3).allMatch(line -> line.contains(BACK));
    }

    private void assertRedisHasRecordedAll(Load load) {
        fleet.settle();
        fleet.limiters().forEach(CountingRateLimiter::close);
        assertThat(tenants)
                .allSatisfy(tenant -> assertThat(fleet.total(redis, tenant)).isEqualTo(load.admitted(tenant)));
    }

    @Test
    void anEmptyRestartedStoreLearnsAllAdmittedCalls() throws Exception {
        play(this::restartEmpty);
    }

    private void restartEmpty() {
        Load load = begin(PATIENT);
        redis.kill();
        awaitAll(UNAVAILABLE);
        Call late = TestCall.get("/a").of("late");
        long unheard = fleet.limiters().stream()
                .flatMapToInt(limiter ->
                        IntStream.range(0, 50).map(i -> limiter.decide(late).admitted() ? 1 : 0))
                .sum();
        goOn(load);
        redis.start();
        awaitAll(BACK);
        goOn(load);
        load.stop();

        assertDecidedAtOnceAndWithinTheLimitEach(load);
        assertRedisHasRecordedAll(load);
        assertWarnedOnceEachAndToldTheEnd();
        assertThat(unheard).isEqualTo(150);
        assertThat(fleet.total(redis, late)).isEqualTo(unheard);
    }

    @Test
    void aFrozenStoreMissesNoCall() throws Exception {
        play(() -> assertMissesNothing(redis::freeze, redis::thaw));
    }

    @Test
    void aStoreThatWasCutOffMissesNoCall() throws Exception {
        play(() -> assertMissesNothing(network::refuse, network::admit));
    }

    private void assertMissesNothing(Runnable begin, Runnable end) {
        Load load = begin(PATIENT);
        begin.run();
        awaitAll(UNAVAILABLE);
        goOn(load);
        end.run();
        awaitAll(BACK);
        goOn(load);
        load.stop();

        assertDecidedAtOnceAndWithinTheLimitEach(load);
        assertRedisHasRecordedAll(load);
        assertWarnedOnceEachAndToldTheEnd();
    }

    @Test
    void aSlowStoreDelaysNoCallBeyondTheTimeoutAndIsLoggedOnce() throws Exception {
        play(this::answerSlowly);
    }

    private void answerSlowly() {
        Load load = begin(LIMITS);
        network.delayReplies(Duration.ofMillis(100)); // well within sync.timeout and the timeout of a command
        goOn(load);
        goOn(load);
        goOn(load);
        network.delayReplies(Duration.ZERO);
        goOn(load);
        load.stop();

        assertDecidedAtOnceAndWithinTheLimitEach(load);
        assertRedisHasRecordedAll(load);
        assertThat(log.with("WARN The store is unavailable")).hasSizeLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        LOCAL | 20  | each instance counts alone, so each may admit up to the whole limit.
        ALLOW | 100 | Until it answers, every call passes.
        DENY  | 0   | calls are refused once this instance has used up the permits it holds.
        """)
    void onFailureDecidesMeanwhile(OnFailure policy, int admitted, String meaning) {
        Limits limits = Fleet.limits(
                new SharingOptions(policy, Duration.ofMillis(50)), Fleet.tier(20, Fleet.FOR_EVER, Fleet.slack(0, 50)));
        CountingRateLimiter limiter = fleet.join(limits, redis.uri());
        Call known = TestCall.get("/a").of("known");
        assertThat(limiter.decide(known).admitted()).isTrue();

        redis.kill();
        Eventually.await(meaning, () -> {
            boolean decided = limiter.decide(TestCall.get("/a").of("other")) != null;
            return decided && log.with(meaning).stream().anyMatch(line -> line.contains(UNAVAILABLE));
        });

        Call unknown = TestCall.get("/a").of("unknown");
        assertThat(IntStream.range(0, 100).filter(i -> limiter.decide(unknown).admitted()))
                .hasSize(admitted);
    }

    /** Until when each instance counts as alive. */
    private List<Long> alive() {
        return String.valueOf(redis.call("HGET", "sluice:{0/16}:!shares", "!fleet"))
                .lines()
                .skip(1)
                .map(line -> Long.parseLong(line.substring(0, line.indexOf(' '))))
                .toList();
    }

    @Test
    void threeInstancesAdmitOneLimitTogether() {
        Limits limits = Fleet.limits(
                new SharingOptions(OnFailure.SHARE, Duration.ofMillis(50)),
                Fleet.tier(20, Fleet.FOR_EVER, Fleet.slack(0, 50)));
        List<CountingRateLimiter> limiters =
                Stream.generate(() -> fleet.join(limits, redis.uri())).limit(3).toList();
        Eventually.await("all have said that they live", () -> alive().size() == 3);
        long last = Collections.max(alive());
        Eventually.await("each has said so again, since all had", () -> Collections.min(alive()) > last);

        redis.kill();
        awaitAll("each of the 3 instances admits its part");
        Call unknown = TestCall.get("/a").of("unknown");
        assertThat(limiters.stream()
                        .mapToLong(limiter -> IntStream.range(0, 100)
                                .filter(i -> limiter.decide(unknown).admitted())
                                .count()))
                .containsExactlyInAnyOrder(7L, 7L, 6L);
    }
}
