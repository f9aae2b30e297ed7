package dev.sluice.internal.limiter.fleet;

import static dev.sluice.TestLimits.endpoint;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.TestCall;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.simulation.LimitModel;
import dev.sluice.internal.limiter.simulation.SimulatedFleet;
import dev.sluice.internal.limiter.simulation.SimulatedInstance;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store is unavailable for a whole fleet, in virtual time: together its instances admit what one limit allows.
 * Windows have ten seconds, and the store is unavailable from the middle of the second one.
 */
class SharedOutageTest {

    private static final long WINDOW = 10_000;
    private static final long OUTAGE_BEGINS = 14_000;
    private static final long END = 60_000;
    private static final TestCall CALL = TestCall.get("/a").of("acme");
    private static final long START = SimulatedFleet.START_NANOS / SimulatedFleet.MILLI;

    /** A call, and what became of it. */
    record Called(long atMillis, int instance, Decision decision) {}

    private final List<Called> calls = new ArrayList<>();
    private SimulatedFleet fleet = new SimulatedFleet(0, TestLimits.of(), true);

    @AfterEach
    void close() {
        fleet.close();
    }

    private static Limits limits(Endpoint endpoint) {
        return TestLimits.sharing(new SharingOptions(OnFailure.SHARE, Duration.ofMillis(50)), TestLimits.of(endpoint));
    }

    private void open(int instances, Tier... tiers) {
        open(instances, endpoint("e", "/a", tiers));
    }

    private void open(int instances, Endpoint endpoint) {
        fleet = new SimulatedFleet(instances, limits(endpoint), true);
    }

    private static Tier tier(String name, Limit limit) {
        return new Tier(name, limit, new Sync(Duration.ofSeconds(1), 0, false));
    }

    private static Tier window(long threshold) {
        return tier("t", new Limit.FixedWindow(threshold, Duration.ofMillis(WINDOW)));
    }

    private void at(long millis, Runnable event) {
        fleet.loop.at((START + millis) * SimulatedFleet.MILLI, event);
    }

    private void isUnavailableFrom(long millis) {
        at(millis, () -> fleet.instances.forEach(instance -> instance.link.cut()));
    }

    /** Calls of one caller at this pace, each on the instance of its number. */
    private void call(long from, long until, long gap, IntUnaryOperator instance) {
        int number = 0;
        for (long time = from; time < until; time += gap) {
            int on = instance.applyAsInt(number++);
            at(time, () -> {
                long begun = fleet.elapsedMillis();
                calls.add(new Called(begun, on, decide(on)));
            });
        }
    }

    private Decision decide(int instance) {
        return fleet.instances.get(instance).decide(CALL);
    }

    private List<Called> admitted(long from, long until) {
        return calls.stream()
                .filter(call -> call.decision.admitted() && call.atMillis >= from && call.atMillis < until)
                .toList();
    }

    private LongStream admittedInWindows(long from) {
        return LongStream.iterate(from, start -> start + WINDOW <= END, start -> start + WINDOW)
                .map(start -> admitted(start, start + WINDOW).size());
    }

    /** The last two columns are what passes in the window in which the store becomes unavailable, and in later ones. */
    @ParameterizedTest
    @CsvSource({
        "3, 100, 40, 101, 100", // most instances have not learned yet that the limit is used up
        "3, 10, 200, 10, 10",
        "3, 5, 300, 5, 5",
        "20, 100, 40, 107, 100",
        "20, 1000, 5, 1030, 1000", // others use 200 a second, which each instance estimates
        "20, 5, 500, 8, 20" // some instances have not asked in this window yet; in later ones, each part is at least 1
    })
    void callersDealtInTurnGetTheWholeLimit(int instances, long threshold, long gap, int first, long later) {
        open(instances, window(threshold));
        isUnavailableFrom(OUTAGE_BEGINS);
        call(0, END, gap, number -> number % instances);
        fleet.pass(END);
        assertThat(admitted(10_000, 20_000).size()).isBetween((int) threshold, first);
        assertThat(admittedInWindows(20_000)).containsOnly(later);
    }

    static Stream<Arguments> fleetsWithEachAlgorithm() {
        return Stream.of(3, 20)
                .flatMap(instances -> TestLimits.ofEachAlgorithm(60, Duration.ofMillis(WINDOW)).stream()
                        .filter(limit -> !(limit instanceof Limit.Concurrency))
                        .map(limit -> Arguments.of(instances, limit)));
    }

    /** Of a sliding window, parts of permits are lost or won for a moment. */
    @ParameterizedTest
    @MethodSource("fleetsWithEachAlgorithm")
    void exactlyOneLimitPasses(int instances, Limit limit) {
        open(instances, tier("t", limit));
        isUnavailableFrom(OUTAGE_BEGINS);
        call(0, END, 70, number -> number % instances);
        fleet.pass(END + 2 * WINDOW); // calls of a queue end
        long possible = 0;
        LimitModel whole = LimitModel.of(limit);
        for (Called call : calls) {
            if (whole.left(START + call.atMillis) > 0) {
                whole.admit(1, START + call.atMillis);
                possible += call.atMillis >= 20_000 ? 1 : 0;
            }
        }
        assertThat((double) admitted(20_000, END).size()).isBetween(0.93 * possible, 1.01 * possible);
        assertThat(admittedInWindows(20_000)).allMatch(passed -> passed <= 60 + 1);
    }

    private void loadAt(long millis, Tier... tiers) {
        at(
                millis,
                () -> fleet.instances.forEach(
                        instance -> instance.limiter.replace(limits(endpoint("e", "/a", tiers)))));
    }

    /** How many calls each instance admits at that time, one after the other. */
    private List<Long> admittedInARow(long millis) {
        Long[] numbers = new Long[fleet.instances.size()];
        for (int i = 0; i < numbers.length; i++) {
            int instance = i;
            at(millis, () -> numbers[instance] = admittedInARow(fleet.instances.get(instance)));
        }
        fleet.loop.runUntil((START + millis + 200) * SimulatedFleet.MILLI);
        return List.of(numbers);
    }

    private static long admittedInARow(SimulatedInstance instance) {
        long number = 0;
        while (number < 1_000 && instance.decide(CALL).admitted()) {
            number++;
        }
        return number;
    }

    private static long sum(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).sum();
    }

    @ParameterizedTest
    @CsvSource({"3, 60, 90, 90", "3, 60, 30, 57", "20, 100, 140, 140", "20, 100, 60, 60"})
    void whatWasUsedStaysUsedWhenALimitChanges(int instances, long before, long after, long inThatWindow) {
        open(instances, window(before));
        isUnavailableFrom(OUTAGE_BEGINS);
        loadAt(24_000, window(after)); // after 57 calls
        call(0, END, 70, number -> number % instances);
        fleet.pass(END);
        assertThat(admitted(20_000, 30_000).size()).isEqualTo(inThatWindow);
        assertThat(admittedInWindows(30_000)).containsOnly(after);
    }

    static Stream<Arguments> algorithmsThatGrow() {
        List<Limit> small = TestLimits.ofEachAlgorithm(30, Duration.ofHours(1));
        List<Limit> large = TestLimits.ofEachAlgorithm(60, Duration.ofHours(1));
        return IntStream.range(0, small.size()).mapToObj(i -> Arguments.of(small.get(i), large.get(i)));
    }

    @ParameterizedTest
    @MethodSource("algorithmsThatGrow")
    void aRaisedUsedUpLimitAdmitsTheDifference(Limit small, Limit large) {
        open(3, tier("t", small));
        isUnavailableFrom(OUTAGE_BEGINS);
        fleet.pass(OUTAGE_BEGINS);
        assertThat(admittedInARow(OUTAGE_BEGINS + 500)).containsOnly(10L);
        loadAt(19_500, tier("t", large));
        assertThat(admittedInARow(19_600)).containsOnly(10L);
    }

    @Test
    void anInstanceThatIsCutOffAloneAddsItsPart() {
        open(3, window(90));
        at(OUTAGE_BEGINS, () -> fleet.instances.get(0).link.cut());
        fleet.pass(OUTAGE_BEGINS);
        List<Long> admitted = admittedInARow(25_000);
        assertThat(admitted.get(0)).isEqualTo(30);
        assertThat(sum(admitted)).isEqualTo(30 + 90);
    }

    @Test
    void anInstanceThatLeftNoLongerCounts() {
        open(4, window(90));
        fleet.pass(5_000);
        at(6_000, fleet.instances.remove(3).limiter::close);
        isUnavailableFrom(OUTAGE_BEGINS);
        fleet.pass(5_000);
        assertThat(admittedInARow(25_000)).containsOnly(30L);
    }

    @Test
    void anInstanceThatDiedStopsCountingAfterSomeSeconds() {
        open(4, window(90));
        fleet.pass(1_000);
        fleet.instances.remove(3).die();
        isUnavailableFrom(OUTAGE_BEGINS);
        fleet.pass(5_000);
        assertThat(admittedInARow(25_000)).containsOnly(30L);
    }

    /** The store answers for a moment only, and no instance has heard of the others since. */
    @Test
    void aStoreThatComesBackForAMomentDoesNotMakeAnInstanceBelieveItselfAlone() {
        open(3, window(90));
        isUnavailableFrom(OUTAGE_BEGINS);
        at(40_000, () -> fleet.instances.get(0).link.mend());
        at(42_000, () -> fleet.instances.get(0).link.cut());
        fleet.pass(45_000);
        assertThat(admittedInARow(55_000)).containsOnly(30L);
    }

    /** Counters that nobody calls meanwhile, and the next window, follow the new policy too. */
    @Test
    void anotherPolicyDecidesAtOnceWhenItIsLoaded() {
        open(3, window(90));
        isUnavailableFrom(OUTAGE_BEGINS);
        for (int instance = 0; instance < 3; instance++) {
            int on = instance;
            at(30_500, () -> decide(on));
        }
        Limits denies = TestLimits.sharing(
                new SharingOptions(OnFailure.DENY, Duration.ofMillis(50)),
                TestLimits.of(endpoint("e", "/a", window(90))));
        at(36_000, () -> fleet.instances.forEach(instance -> instance.limiter.replace(denies)));
        assertThat(admittedInARow(36_100)).containsOnly(0L);
        assertThat(admittedInARow(41_000)).containsOnly(0L);
    }

    /**
     * Each part is at least 1, but only once the store has been unavailable for a second, and not of what began before.
     */
    @Test
    void nobodyIsLockedOutOfASmallLimitForLong() {
        open(20, window(5));
        isUnavailableFrom(29_500);
        fleet.pass(29_500);
        assertThat(sum(admittedInARow(29_700))).isEqualTo(5);
        assertThat(sum(admittedInARow(30_200))).isEqualTo(5);
        assertThat(sum(admittedInARow(31_000))).isEqualTo(15);
        assertThat(admittedInARow(40_000)).containsOnly(1L);
    }

    @Test
    void slotsAreDividedAndComeBackWhenCallsEnd() {
        open(3, tier("t", new Limit.Concurrency(30, Limit.Concurrency.Scope.FLEET)));
        isUnavailableFrom(OUTAGE_BEGINS);
        List<Decision> inFlight = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int instance = i % 3;
            at(13_000, () -> inFlight.add(fleet.instances.get(instance).decide(CALL)));
        }
        fleet.pass(OUTAGE_BEGINS);
        assertThat(sum(admittedInARow(20_000)))
                .as("some were answered before others called")
                .isBetween(18L, 22L);
        at(
                21_000,
                () -> inFlight.forEach(
                        call -> Objects.requireNonNull(call.ticket()).ended(200)));
        fleet.pass(1_000);
        assertThat(sum(admittedInARow(25_000))).isEqualTo(12);
    }

    @Test
    void aQueueIsDividedWithItsPace() {
        Limit queue = new Limit.LeakyBucket(60, Duration.ofMillis(WINDOW), 59, Duration.ofMillis(WINDOW));
        open(3, tier("t", queue));
        isUnavailableFrom(OUTAGE_BEGINS);
        List<Long> delays = new ArrayList<>();
        at(25_000, () -> {
            for (int i = 0; i < 5; i++) {
                delays.add(Objects.requireNonNull(
                                fleet.instances.get(0).decide(CALL).ticket())
                        .delayMillis());
            }
        });
        fleet.pass(26_000);
        assertThat(delays).as("2 a second").containsExactly(0L, 500L, 1_000L, 1_500L, 2_000L);
    }

    @Test
    void severalTiersAreDividedEach() {
        Tier hour = tier("hour", new Limit.FixedWindow(120, Duration.ofHours(1)));
        open(3, window(60), hour);
        isUnavailableFrom(OUTAGE_BEGINS);
        call(OUTAGE_BEGINS + 500, END, 50, number -> number % 3);
        fleet.pass(END);
        assertThat(admitted(OUTAGE_BEGINS, 20_000).size()).isEqualTo(60);
        assertThat(admitted(20_000, END).size()).isEqualTo(60);
    }

    @Test
    void chargesAreDivided() {
        Endpoint charging = TestLimits.counting(endpoint("e", "/a", window(60)), Set.of(), Cost.CHARGED);
        open(3, charging);
        isUnavailableFrom(OUTAGE_BEGINS);
        List<Long> charged = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int instance = i % 3;
            at(20_000 + 100 * i, () -> {
                Decision decision = fleet.instances.get(instance).decide(CALL);
                if (decision.admitted()) {
                    Objects.requireNonNull(decision.ticket()).charge(5);
                    charged.add(5L);
                }
            });
        }
        fleet.pass(30_000);
        assertThat(sum(charged)).isEqualTo(60);
    }

    /**
     * The store may be back at any moment, and others may leave something. If all was used before, nobody has anything.
     */
    @Test
    void aCallerWhoUsedUpOnePartMayRetrySoon() {
        open(3, window(30));
        call(1_000, 1_031, 1, number -> 0); // the last one finds nothing left
        isUnavailableFrom(OUTAGE_BEGINS);
        call(OUTAGE_BEGINS + 1_500, OUTAGE_BEGINS + 2_500, 50, number -> 0);
        fleet.pass(END);
        List<Decision> refused = calls.stream()
                .map(Called::decision)
                .filter(decision -> !decision.admitted())
                .toList();
        assertThat(refused.get(0).retryAfterMillis()).isCloseTo(WINDOW - 1_030, within(5L));
        assertThat(refused.subList(1, refused.size()))
                .hasSizeGreaterThan(5)
                .allSatisfy(decision -> assertThat(decision.retryAfterMillis()).isLessThanOrEqualTo(1_000));
    }

    @Test
    void remainingSaysWhatTheNextCallsGet() {
        open(3, window(90));
        isUnavailableFrom(OUTAGE_BEGINS);
        fleet.pass(OUTAGE_BEGINS);
        List<Decision> decisions = new ArrayList<>();
        for (int i = 0; i < 31; i++) {
            at(25_000 + i, () -> decisions.add(fleet.instances.get(1).decide(CALL)));
        }
        fleet.pass(12_000);
        assertThat(decisions.stream().map(Decision::remaining))
                .containsExactlyElementsOf(
                        Stream.concat(LongStream.rangeClosed(0, 29).mapToObj(i -> 29 - i), Stream.of(0L))
                                .toList());
        Decision refused = decisions.get(30);
        assertThat(refused.admitted()).isFalse();
        assertThat(refused.resetAfterMillis()).isEqualTo(30_000 - 25_030);
        assertThat(refused.retryAfterMillis()).isEqualTo(1);
    }

    @Test
    void admittedCallsAreReportedWhenTheStoreIsBack() {
        open(3, tier("t", new Limit.FixedWindow(90, Duration.ofHours(1))));
        isUnavailableFrom(OUTAGE_BEGINS);
        call(1_000, 13_000, 1_000, number -> number % 3);
        fleet.pass(OUTAGE_BEGINS);
        // what instances admitted from a permit in hand, the others had yet to learn
        assertThat(sum(admittedInARow(25_000))).isBetween(90 - 12L, 90 - 12 + 3L);
        at(30_000, () -> fleet.instances.forEach(instance -> instance.link.mend()));
        fleet.pass(9_000);
        assertThat(sum(admittedInARow(40_000))).isZero();
    }

    private void isBackAt(long millis) {
        at(millis, () -> fleet.instances.forEach(instance -> instance.link.mend()));
    }

    /**
     * The store comes back early or late in the window that begins at 30 s. So little or much of that window is used.
     */
    @ParameterizedTest
    @CsvSource({
        "3, 100, 40, 30_500",
        "3, 100, 40, 33_500",
        "3, 100, 40, 39_700",
        "3, 10, 200, 31_000",
        "20, 100, 40, 32_000",
        "20, 1000, 5, 33_000",
        "20, 1000, 5, 39_500"
    })
    void callersDealtInTurnGetTheWholeLimitAndNoMoreWhenTheStoreIsBack(
            int instances, long threshold, long gap, long back) {
        open(instances, window(threshold));
        isUnavailableFrom(OUTAGE_BEGINS);
        isBackAt(back);
        call(0, END, gap, number -> number % instances);
        fleet.pass(END);
        assertThat(admittedInWindows(20_000)).containsOnly(threshold);
    }

    /**
     * The first that reaches the store hears nothing of what the others have used of a window of that time, or take of
     * the next one.
     */
    @ParameterizedTest
    @CsvSource({"32_000, 32_000, 10", "39_500, 40_000, 30"})
    void theFirstInstanceBackKeepsToItsPartUntilOthersReport(long back, long calls, int part) {
        open(3, window(90));
        for (int i = 0; i < 3; i++) {
            at(
                    OUTAGE_BEGINS + 300L * i,
                    fleet.instances.get(i).link::cut); // so that they try again one after the other
        }
        call(30_000, 31_200, 20, number -> number / 20); // 20 calls on each
        call(calls, calls + 600, 10, number -> 0);
        isBackAt(back);
        fleet.pass(calls + 600);
        assertThat(admitted(calls, calls + 600).size())
                .as("in a row on the first")
                .isEqualTo(part);
        List<Long> afterwards = admittedInARow(calls + 4_000);
        long before = admitted(calls / WINDOW * WINDOW, END).size();
        assertThat(before + sum(afterwards)).isEqualTo(90);
    }

    @Test
    void anInstanceThatWasCutOffAloneSoonGetsAllThatIsLeft() {
        open(3, window(90));
        at(OUTAGE_BEGINS, () -> fleet.instances.get(0).link.cut());
        isBackAt(22_000);
        List<Long> admitted = new ArrayList<>();
        at(26_000, () -> admitted.add(admittedInARow(fleet.instances.get(0))));
        fleet.pass(27_000);
        assertThat(admitted).containsExactly(90L);
    }

    @Test
    void anInstanceThatNeverHeardTheStoreUsesTheFilesNumber() {
        SharingOptions three = new SharingOptions(OnFailure.SHARE, Duration.ofMillis(50), 3);
        fleet = new SimulatedFleet(3, TestLimits.sharing(three, TestLimits.of(endpoint("e", "/a", window(100)))), true);
        isUnavailableFrom(0);
        fleet.pass(5_000);
        assertThat(admittedInARow(12_000)).containsOnly(33L);
    }
}
