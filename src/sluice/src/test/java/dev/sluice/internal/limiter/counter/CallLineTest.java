package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Need;
import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.internal.limiter.rule.Outage;
import dev.sluice.internal.limiter.shared.SharedCounter;
import dev.sluice.internal.limiter.shared.SharedPool;
import dev.sluice.internal.limiter.shared.SharedSnapshot;
import dev.sluice.internal.limiter.shared.SharedSnapshot.Mode;
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

class CallLineTest {

    private static final long NOW = 1_627_318_800_000L;

    private final List<Pool> checked = new ArrayList<>();
    private final SharedPool pool = pool("one");
    private final SharedPool other = pool("other");
    private final CallLine line = pool.openLine();
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
            public void checkSoon(Pool lacking) {
                checked.add(lacking);
            }
        };
        return (SharedPool) Objects.requireNonNull(new SharedCounter(family, caller, background).at(NOW));
    }

    /** A call arrives, and waits for so many permits of each pool. */
    private PendingCall waits(long cost, SharedPool... pools) {
        return waits(arrivals++, cost, pools);
    }

    private PendingCall waits(long arrivalNanos, long cost, SharedPool... pools) {
        PendingCall call =
                PatientCall.of(() -> take(arrivalNanos, cost, pools), () -> arrivals, arrivalNanos, checked::add);
        call.standInLine(take(arrivalNanos, cost, pools));
        return call;
    }

    private static List<Shortage> take(long arrivalNanos, long cost, SharedPool... pools) {
        List<Shortage> lacking = Stream.of(pools)
                .filter(one -> one.surelyShortOf(cost, NOW) || one.isAnyInLineBefore(arrivalNanos))
                .map(one -> new Shortage(one, cost, cost, pools.length == 1))
                .toList();
        if (lacking.isEmpty()) {
            Stream.of(pools).forEach(one -> one.take(cost, NOW));
        }
        return lacking;
    }

    /** Calls can get nothing more from the store. */
    private static void isUsedUp(SharedPool... pools) {
        for (SharedPool pool : pools) {
            SharedSnapshot known = pool.snapshot();
            pool.publish(new SharedSnapshot(Mode.DENYING, known.usage(), 0, 0, known.outlook()), 0, 0);
        }
    }

    private static void isWaiting(PendingCall... calls) {
        assertThat(calls).allMatch(call -> !call.taken.isDone());
    }

    @Test
    void sumsTheNeedsAndNotesTheFirst() {
        PendingCall first = waits(3, pool);
        waits(2, pool);
        assertThat(line.ask(0, false)).isEqualTo(new Need(5, 3, false));
        assertThat(line.ask(1, false)).isEqualTo(new Need(4, 2, false));
        assertThat(line.ask(5, false)).isEqualTo(Need.NONE);
        first.end();
        assertThat(line.ask(0, false)).as("all or nothing").isEqualTo(new Need(2, 2, true));
    }

    @Test
    void knowsWhetherAllPassWithWhatTheyLack() {
        waits(1, pool);
        PendingCall ofTwo = waits(1, pool, other);
        assertThat(line.ask(0, false).isUsedAtOnce()).isFalse();
        ofTwo.end();
        assertThat(line.ask(0, false)).isEqualTo(new Need(1, 1, true));
    }

    @Test
    void isEmptyWhenNoneWaits() {
        PendingCall call = waits(1, pool);
        assertThat(pool.isAnyInLine()).isTrue();
        assertThat(checked).containsExactly(pool);
        call.end();
        assertThat(call.taken).isCompletedWithValue(false);
        assertThat(pool.isAnyInLine()).isFalse();
        assertThat(line.ask(0, false)).isEqualTo(Need.NONE);
    }

    @Test
    void areServedInOrderOfArrival() {
        PendingCall second = waits(2L, 1, pool);
        PendingCall first = waits(1L, 1, pool);
        pool.put(1);
        line.serve();
        assertThat(first.taken).isCompletedWithValue(true);
        isWaiting(second);
    }

    @Test
    void aLargeNeedIsNotOvertakenBySmallOnes() {
        PendingCall much = waits(10, pool);
        PendingCall little = waits(1, pool);
        pool.put(9);
        line.serve();
        isWaiting(much, little);
        pool.put(2);
        line.serve();
        assertThat(much.taken).isCompletedWithValue(true);
        assertThat(little.taken).isCompletedWithValue(true);
        assertThat(pool.permits.left()).isZero();
    }

    /** The first one's time is over too, even if its thread has not noticed. */
    @Test
    void aCallWhoseTimeIsOverStopsNoneBehindIt() {
        AtomicLong nanos = new AtomicLong();
        PendingCall.Surroundings around =
                new PendingCall.Surroundings(nanos::get, PendingPolicy.NONE, checked::add, () -> {});
        PendingCall much = new PendingCall(() -> take(1, 10, pool), around, 1);
        much.standInLine(take(1, 10, pool));
        PendingCall little = new PendingCall(() -> take(2, 1, pool), around, 2);
        little.standInLine(take(2, 1, pool));
        pool.put(9);
        nanos.set(2 + TimeUnit.MILLISECONDS.toNanos(Pool.OUTCOME_MILLIS));
        little.whenDecided(Runnable::run).join();
        assertThat(little.taken).isCompletedWithValue(true);
        assertThat(much.taken).isCompletedWithValue(false);
    }

    @Test
    void othersGetWhatIsTooLittleForTheFirst() {
        PendingCall much = waits(10, pool);
        PendingCall little = waits(1, pool);
        line.ask(0, false);
        PendingCall later = waits(5, pool);
        pool.put(3);
        line.serveOrRefuse(need -> false, NOW);
        assertThat(much.taken).isCompletedWithValue(false);
        assertThat(little.taken).isCompletedWithValue(true);
        isWaiting(later); // the store was not asked for it
    }

    @Test
    void aCallBehindALargerNeedAsksAgain() {
        PendingCall much = waits(10, pool);
        PendingCall little = waits(1, pool);
        line.ask(0, false);
        line.serveOrRefuse(need -> need <= 3, NOW);
        assertThat(much.taken).isCompletedWithValue(false);
        isWaiting(little);
        assertThat(line.ask(0, false)).isEqualTo(new Need(1, 1, true));
    }

    @Test
    void aCallThatCameAfterTheRecallAsksAgain() {
        PendingCall first = waits(1, pool);
        line.ask(0, false);
        PendingCall later = waits(1, pool);
        line.ask(0, true);
        line.serveOrRefuse(need -> false, NOW);
        assertThat(first.taken).isCompletedWithValue(false);
        isWaiting(later);
    }

    @Test
    void callsThatCanGetNoMoreAreRefused() {
        PendingCall first = waits(2, pool);
        PendingCall second = waits(1, pool);
        pool.put(1);
        isUsedUp(pool);
        line.serveOrRefuse(NOW);
        assertThat(first.taken).isCompletedWithValue(false);
        assertThat(second.taken).isCompletedWithValue(true);
    }

    /** It takes from both or from none, and stands only where it lacks something. */
    @Test
    void ofTwoLimitsItWaitsForTheOneThatLacks() {
        PendingCall ofTwo = waits(1, pool, other);
        PendingCall ofOther = waits(1, other);
        pool.put(1);
        line.serve();
        isWaiting(ofTwo, ofOther);
        assertThat(pool.isAnyInLine()).isFalse();
        assertThat(pool.permits.left()).as("others may take it meanwhile").isEqualTo(1);
        other.put(1);
        other.openLine().serve();
        assertThat(ofTwo.taken).isCompletedWithValue(true);
        isWaiting(ofOther);
    }

    /** The later one is at the head of its line, but the earlier one waits for the other limit. */
    @Test
    void ofTwoLimitsALaterCallDoesNotTakeWhatAnEarlierOneWaitsFor() {
        PendingCall earlier = waits(1, other);
        PendingCall later = waits(1, pool, other);
        pool.put(1);
        other.put(1);
        line.serve();
        isWaiting(later);
        other.openLine().serve();
        assertThat(earlier.taken).isCompletedWithValue(true);
        isWaiting(later);
    }

    @Test
    void theNextCallIsServedWhenTheFirstGivesUp() {
        PendingCall first = waits(10, pool);
        waits(1, pool);
        checked.clear();
        first.end();
        assertThat(checked).contains(pool);
    }

    @Test
    void aCallThatLacksTwoLimitsStandsInBothLines() {
        PendingCall ofTwo = waits(1, pool, other);
        assertThat(pool.isAnyInLine()).isTrue();
        assertThat(other.isAnyInLine()).isTrue();
        ofTwo.end();
        assertThat(pool.isAnyInLine()).isFalse();
        assertThat(other.isAnyInLine()).isFalse();
    }

    /** Without a store, the thread that requests a check makes it. */
    private void isDecidedWhileItJoins(List<Shortage> lacking, Consumer<CallLine> check, boolean isTaken) {
        PendingCall call = PatientCall.of(
                () -> take(0, 1, pool, other), () -> arrivals, 0, checked -> check.accept(checked.openLine()));
        call.standInLine(lacking);
        assertThat(call.taken).isCompletedWithValue(isTaken);
        assertThat(pool.isAnyInLine()).isFalse();
        assertThat(other.isAnyInLine()).isFalse();
    }

    @Test
    void aCallThatIsDecidedWhileItJoinsStandsInNoLine() {
        isUsedUp(pool, other);
        isDecidedWhileItJoins(take(0, 1, pool, other), line -> line.serveOrRefuse(NOW), false);
    }

    @Test
    void aCallThatIsServedWhileItJoinsStandsInNoLine() {
        List<Shortage> before = take(0, 1, pool, other);
        pool.put(1);
        other.put(1);
        isDecidedWhileItJoins(before, CallLine::serve, true);
    }

    @Test
    void allTryAgainWhenACounterHasToBeLookedUpAgainAndNoneIsRefused() {
        PendingCall first = waits(2, pool);
        PendingCall second = waits(2, pool);
        pool.put(3);
        line.moveOn();
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
        assertThat(line.needed()).isEqualTo(2 + 1);
    }
}
