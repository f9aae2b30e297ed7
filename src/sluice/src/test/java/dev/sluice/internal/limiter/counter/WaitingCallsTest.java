package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Need;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.shared.SharedCounter;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedWindows.Background;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitingCallsTest {

    private static final long NOW = 1_627_318_800_000L;

    private final List<Pool> checked = new ArrayList<>();
    private final SharedPool pool = pool("one");
    private final SharedPool other = pool("other");
    private final WaitingCalls waiting = pool.waiting();
    private long arrivals;

    private SharedPool pool(String caller) {
        Tier tier = new Tier(
                "t", new Limit.FixedWindow(100, Duration.ofHours(1)), new Sync(Duration.ofSeconds(1), 0, false));
        CounterFamily family = new CounterFamilies(
                        new UnsharedCounting(() -> Instant.ofEpochMilli(NOW)), () -> 0, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "*", tier, List.of("tenant"), List.of("ip")));
        Background background = new Background() {
            @Override
            public @Nullable Outage outage() {
                return null;
            }

            @Override
            public int instances() {
                return 1;
            }

            @Override
            public void requestCheck(Pool lacking) {
                checked.add(lacking);
            }
        };
        return (SharedPool) Objects.requireNonNull(new SharedCounter(family, caller, background).at(NOW));
    }

    /** A call arrives, and waits for so many permits of each pool. */
    private WaitingCall waits(long cost, SharedPool... pools) {
        return waits(arrivals++, cost, pools);
    }

    private WaitingCall waits(long arrivalNanos, long cost, SharedPool... pools) {
        WaitingCall call =
                PatientCall.of(() -> take(arrivalNanos, cost, pools), () -> arrivals, arrivalNanos, checked::add);
        call.standInLine(take(arrivalNanos, cost, pools));
        return call;
    }

    private static List<Shortage> take(long arrivalNanos, long cost, SharedPool... pools) {
        List<Shortage> lacking = Stream.of(pools)
                .filter(one -> one.surelyShortOf(cost, NOW) || one.isAwaitedBefore(arrivalNanos))
                .map(one -> new Shortage(one, cost, cost, pools.length == 1))
                .toList();
        if (lacking.isEmpty()) {
            Stream.of(pools).forEach(one -> one.take(cost, NOW));
        }
        return lacking;
    }

    private static void isWaiting(WaitingCall... calls) {
        assertThat(calls).allMatch(call -> !call.taken.isDone());
    }

    @Test
    void sumsTheNeedsAndNotesTheFirst() {
        WaitingCall first = waits(3, pool);
        waits(2, pool);
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(5, 3, false));
        assertThat(waiting.ask(1, false)).isEqualTo(new Need(4, 2, false));
        assertThat(waiting.ask(5, false)).isEqualTo(Need.NONE);
        first.end();
        assertThat(waiting.ask(0, false)).as("all or nothing").isEqualTo(new Need(2, 2, true));
    }

    @Test
    void knowsWhetherAllPassWithWhatTheyLack() {
        waits(1, pool);
        WaitingCall ofTwo = waits(1, pool, other);
        assertThat(waiting.ask(0, false).isUsedAtOnce()).isFalse();
        ofTwo.end();
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(1, 1, true));
    }

    @Test
    void isEmptyWhenNoneWaits() {
        WaitingCall call = waits(1, pool);
        assertThat(pool.isAwaited()).isTrue();
        assertThat(checked).containsExactly(pool);
        call.end();
        assertThat(call.taken).isCompletedWithValue(false);
        assertThat(pool.isAwaited()).isFalse();
        assertThat(waiting.ask(0, false)).isEqualTo(Need.NONE);
    }

    @Test
    void areServedInOrderOfArrival() {
        WaitingCall second = waits(2L, 1, pool);
        WaitingCall first = waits(1L, 1, pool);
        pool.put(1);
        waiting.serve();
        assertThat(first.taken).isCompletedWithValue(true);
        isWaiting(second);
    }

    @Test
    void aLargeNeedIsNotOvertakenBySmallOnes() {
        WaitingCall much = waits(10, pool);
        WaitingCall little = waits(1, pool);
        pool.put(9);
        waiting.serve();
        isWaiting(much, little);
        pool.put(2);
        waiting.serve();
        assertThat(much.taken).isCompletedWithValue(true);
        assertThat(little.taken).isCompletedWithValue(true);
        assertThat(pool.permits.left()).isZero();
    }

    /** The first one's time is over too, even if its thread has not noticed. */
    @Test
    void aCallWhoseTimeIsOverStopsNoneBehindIt() {
        AtomicLong nanos = new AtomicLong();
        WaitingCall.Surroundings around =
                new WaitingCall.Surroundings(nanos::get, ThreadWait.NONE, checked::add, () -> {});
        WaitingCall much = new WaitingCall(() -> take(1, 10, pool), around, 1);
        much.standInLine(take(1, 10, pool));
        WaitingCall little = new WaitingCall(() -> take(2, 1, pool), around, 2);
        little.standInLine(take(2, 1, pool));
        pool.put(9);
        nanos.set(2 + TimeUnit.MILLISECONDS.toNanos(Pool.OUTCOME_MILLIS));
        little.whenDecided(Runnable::run).join();
        assertThat(little.taken).isCompletedWithValue(true);
        assertThat(much.taken).isCompletedWithValue(false);
    }

    @Test
    void othersGetWhatIsTooLittleForTheFirst() {
        WaitingCall much = waits(10, pool);
        WaitingCall little = waits(1, pool);
        waiting.ask(0, false);
        WaitingCall later = waits(5, pool);
        pool.put(3);
        waiting.serveOrRefuse(need -> false, need -> true);
        assertThat(much.taken).isCompletedWithValue(false);
        assertThat(little.taken).isCompletedWithValue(true);
        isWaiting(later); // the store was not asked for it
    }

    @Test
    void aCallBehindALargerNeedAsksAgain() {
        WaitingCall much = waits(10, pool);
        WaitingCall little = waits(1, pool);
        waiting.ask(0, false);
        waiting.serveOrRefuse(need -> need <= 3, need -> true);
        assertThat(much.taken).isCompletedWithValue(false);
        isWaiting(little);
        assertThat(waiting.ask(0, false)).isEqualTo(new Need(1, 1, true));
    }

    @Test
    void aCallThatCameAfterTheRecallAsksAgain() {
        WaitingCall first = waits(1, pool);
        waiting.ask(0, false);
        WaitingCall later = waits(1, pool);
        waiting.ask(0, true);
        waiting.serveOrRefuse(need -> false, need -> true);
        assertThat(first.taken).isCompletedWithValue(false);
        isWaiting(later);
    }

    @Test
    void callsThatCanGetNoMoreAreRefused() {
        WaitingCall first = waits(2, pool);
        WaitingCall second = waits(1, pool);
        pool.put(1);
        waiting.serveOrRefuse(need -> false);
        assertThat(first.taken).isCompletedWithValue(false);
        assertThat(second.taken).isCompletedWithValue(true);
    }

    /** It takes from both or from none, and stands only where it lacks something. */
    @Test
    void ofTwoLimitsItWaitsForTheOneThatLacks() {
        WaitingCall ofTwo = waits(1, pool, other);
        WaitingCall ofOther = waits(1, other);
        pool.put(1);
        waiting.serve();
        isWaiting(ofTwo, ofOther);
        assertThat(pool.isAwaited()).isFalse();
        assertThat(pool.permits.left()).as("others may take it meanwhile").isEqualTo(1);
        other.put(1);
        other.waiting().serve();
        assertThat(ofTwo.taken).isCompletedWithValue(true);
        isWaiting(ofOther);
    }

    /** The later one is at the head of its line, but the earlier one waits for the other limit. */
    @Test
    void ofTwoLimitsALaterCallDoesNotTakeWhatAnEarlierOneWaitsFor() {
        WaitingCall earlier = waits(1, other);
        WaitingCall later = waits(1, pool, other);
        pool.put(1);
        other.put(1);
        waiting.serve();
        isWaiting(later);
        other.waiting().serve();
        assertThat(earlier.taken).isCompletedWithValue(true);
        isWaiting(later);
    }

    @Test
    void theNextCallIsServedWhenTheFirstGivesUp() {
        WaitingCall first = waits(10, pool);
        waits(1, pool);
        checked.clear();
        first.end();
        assertThat(checked).contains(pool);
    }

    @Test
    void aCallThatLacksTwoLimitsStandsInBothLines() {
        WaitingCall ofTwo = waits(1, pool, other);
        assertThat(pool.isAwaited()).isTrue();
        assertThat(other.isAwaited()).isTrue();
        ofTwo.end();
        assertThat(pool.isAwaited()).isFalse();
        assertThat(other.isAwaited()).isFalse();
    }

    /** Without a store, the thread that requests a check makes it. */
    private void isDecidedWhileItJoins(List<Shortage> lacking, Consumer<WaitingCalls> check, boolean isTaken) {
        WaitingCall call = PatientCall.of(
                () -> take(0, 1, pool, other), () -> arrivals, 0, checked -> check.accept(checked.waiting()));
        call.standInLine(lacking);
        assertThat(call.taken).isCompletedWithValue(isTaken);
        assertThat(pool.isAwaited()).isFalse();
        assertThat(other.isAwaited()).isFalse();
    }

    @Test
    void aCallThatIsDecidedWhileItJoinsStandsInNoLine() {
        isDecidedWhileItJoins(take(0, 1, pool, other), line -> line.serveOrRefuse(need -> false), false);
    }

    @Test
    void aCallThatIsServedWhileItJoinsStandsInNoLine() {
        List<Shortage> before = take(0, 1, pool, other);
        pool.put(1);
        other.put(1);
        isDecidedWhileItJoins(before, WaitingCalls::serve, true);
    }

    @Test
    void allTryAgainWhenACounterHasToBeLookedUpAgainAndNoneIsRefused() {
        WaitingCall first = waits(2, pool);
        WaitingCall second = waits(2, pool);
        pool.put(3);
        waiting.moveOn();
        assertThat(first.taken).isCompletedWithValue(true);
        isWaiting(second);
    }

    /** A call that is charged afterwards takes nothing, but passes only while a permit is left. */
    @Test
    void oneMorePermitServesAllWhoTakeNone() {
        for (long arrival = 0; arrival < 2; arrival++) {
            List<Shortage> lacking = List.of(new Shortage(pool, 0, 1, false));
            PatientCall.of(() -> lacking, () -> 0, arrival, checked::add).standInLine(lacking);
        }
        waits(3L, 2, pool);
        assertThat(waiting.needed()).isEqualTo(2 + 1);
    }
}
