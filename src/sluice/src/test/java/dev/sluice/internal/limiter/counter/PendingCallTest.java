package dev.sluice.internal.limiter.counter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.PendingCall.Reason;
import dev.sluice.internal.limiter.counter.PendingCall.Surroundings;
import dev.sluice.internal.limiter.local.LocalCounters;
import dev.sluice.internal.limiter.local.UnsharedCounting;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PendingCallTest {

    private static final long NOW = 1_627_318_800_000L;
    private static final Set<PendingState> DECIDED =
            EnumSet.of(PendingState.TAKEN, PendingState.REFUSED, PendingState.GAVE_UP);

    /** The drawing of the class comment; besides, each of these may be decided. */
    private static final Map<PendingState, Set<PendingState>> DRAWN = Map.of(
            PendingState.ASKS_STORE, Set.of(PendingState.WAITS_FOR_STORE, PendingState.AWAITS_OUTCOMES),
            PendingState.WAITS_FOR_STORE, Set.of(PendingState.AWAITS_OUTCOMES),
            PendingState.EXPECTS_OUTCOMES, Set.of(PendingState.AWAITS_OUTCOMES),
            PendingState.AWAITS_OUTCOMES, Set.of(PendingState.ASKS_AGAIN),
            PendingState.ASKS_AGAIN, Set.of(PendingState.AWAITS_OUTCOMES, PendingState.ASKS_LAST),
            PendingState.ASKS_LAST, Set.of());

    private static boolean isDrawn(PendingState from, PendingState to) {
        return !DECIDED.contains(from)
                && (DECIDED.contains(to)
                        || Objects.requireNonNull(DRAWN.get(from)).contains(to));
    }

    static Stream<List<PendingState>> pairs() {
        return Stream.of(PendingState.values())
                .flatMap(from -> Stream.of(PendingState.values()).map(to -> List.of(from, to)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void onlyDrawnTransitionsCanBeMade(List<PendingState> pair) {
        PendingState from = pair.get(0);
        PendingState to = pair.get(1);
        if (isDrawn(from, to)) {
            assertThat(from.to(to)).isEqualTo(to);
        } else {
            assertThatThrownBy(() -> from.to(to))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("A pending call cannot go from " + from + " to " + to);
        }
    }

    @ParameterizedTest
    @EnumSource(PendingState.class)
    void aStateIsDecidedOrBoundByOneTime(PendingState state) {
        assertThat(Stream.of(state.isDecided(), state.isBoundByStore(), state.isBoundByOutcomes()))
                .containsOnlyOnce(true);
    }

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger awaiting = new AtomicInteger();
    private final AtomicInteger decided = new AtomicInteger();
    private final List<String> warnings = new ArrayList<>();
    private final List<Pool> checked = new ArrayList<>();
    private volatile int mostWaiting = 1;
    private volatile int mostAwaiting = 1;
    /** What the next attempts of the call lack. */
    private volatile List<Shortage> lacking = List.of();

    private volatile boolean mayBeGranted = true;
    private final Pool pool = pool("acme");
    private final Pool other = pool("hooli");

    /** A pool that may get something from a store as long as the test says so, and has a call in flight. */
    private Pool pool(String caller) {
        Tier tier = new Tier("t", new Limit.FixedWindow(1, Duration.ofHours(1)));
        UnsharedCounting counting = new UnsharedCounting(() -> Instant.ofEpochMilli(NOW));
        CounterFamily family = new CounterFamilies(counting, () -> 0, new Blocks(() -> 0))
                .of(new CounterFamily.Identity("e", "*", tier, List.of("tenant"), List.of("ip")));
        Pool local = Objects.requireNonNull(LocalCounters.open(family, caller).at(NOW));
        local.addRefundable(1, local.take(1, NOW));
        return (Pool) Proxy.newProxyInstance(
                Pool.class.getClassLoader(), new Class<?>[] {Pool.class}, (self, method, arguments) -> {
                    if (method.getName().equals("mayBeGranted")) {
                        return mayBeGranted;
                    }
                    return switch (method.getName()) {
                        case "equals" -> self == arguments[0];
                        default -> method.invoke(local, arguments);
                    };
                });
    }

    private final PendingPolicy policy = new PendingPolicy() {
        @Override
        public void await(CompletableFuture<Boolean> end, long nanosAtMost) {}

        @Override
        public boolean beginWait(boolean isMadeUp) {
            return waiting.getAndUpdate(now -> now < mostWaiting ? now + 1 : now) < mostWaiting;
        }

        @Override
        public void endWait() {
            waiting.decrementAndGet();
        }

        @Override
        public void warnOfWaits() {
            warnings.add("waits");
        }

        @Override
        public boolean beginAwaitingOutcomes(boolean isMadeUp) {
            return awaiting.getAndUpdate(now -> now < mostAwaiting ? now + 1 : now) < mostAwaiting;
        }

        @Override
        public void endAwaitingOutcomes() {
            awaiting.decrementAndGet();
        }

        @Override
        public void warnOfAwaitedOutcomes() {
            warnings.add("outcomes");
        }
    };

    private Surroundings around() {
        return new Surroundings(nanos::get, policy, checked::add, decided::incrementAndGet);
    }

    private static Shortage lacks(Pool pool) {
        return new Shortage(pool, 1, 1, true, true);
    }

    /** A call that stands in line, and may ask the store for 1,000 ms, at last for 700 ms, with a grace of 200 ms. */
    private PendingCall asks(Pool... pools) {
        lacking = Stream.of(pools).map(PendingCallTest::lacks).toList();
        PendingCall call = new PendingCall(() -> lacking, around(), 0, millis(1_000), millis(700), millis(200));
        call.standInLine(lacking);
        return call;
    }

    private static long millis(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private void at(long millis, PendingCall call) {
        nanos.set(millis(millis));
        call.checkOwnTime();
    }

    /** The line of the pool learns that the store has nothing. */
    private void storeHasNothing(Pool at) {
        mayBeGranted = false;
        at.openLine().serveOrRefuse(NOW);
    }

    private void is(PendingCall call, int counted, int awaited, boolean asksStore, Reason reason) {
        assertThat(call.taken).isNotDone();
        assertThat(waiting).as("calls that wait").hasValue(counted);
        assertThat(awaiting).as("calls that await outcomes").hasValue(awaited);
        assertThat(call.asksStore()).as("it asks the store").isEqualTo(asksStore);
        assertThat(call.reason()).isEqualTo(reason);
    }

    private void isAskingTheStore(PendingCall call) {
        is(call, 0, 0, true, Reason.STORE);
    }

    private void isWaitingForTheStore(PendingCall call) {
        is(call, 1, 0, true, Reason.STORE);
    }

    private void isAwaitingOutcomes(PendingCall call) {
        is(call, 0, 1, false, Reason.OUTCOMES);
    }

    private void isAskingAgain(PendingCall call) {
        is(call, 0, 1, true, Reason.OUTCOMES);
    }

    private void isAskingTheLastTime(PendingCall call) {
        is(call, 1, 1, true, Reason.OUTCOMES);
    }

    private void isOver(PendingCall call, boolean isTaken, boolean couldStay) {
        assertThat(call.taken).isCompletedWithValue(isTaken);
        assertThat(call.couldStay()).isEqualTo(couldStay);
        assertThat(decided).hasValue(1);
        assertThat(waiting).hasValue(0);
        assertThat(awaiting).hasValue(0);
        assertThat(pool.isAnyInLine()).isFalse();
        assertThat(other.isAnyInLine()).isFalse();
    }

    @Nested
    class ACall {

        @Test
        void walksAllTheWay() {
            PendingCall call = asks(pool);
            isAskingTheStore(call);
            at(199, call);
            isAskingTheStore(call);
            at(200, call);
            isWaitingForTheStore(call);
            storeHasNothing(pool);
            isAwaitingOutcomes(call);
            assertThat(pool.openLine().askAgain()).isTrue();
            isAskingAgain(call);
            pool.openLine().serveOrRefuse(NOW);
            isAwaitingOutcomes(call);
            pool.openLine().askAgain();
            at(2_000, call);
            isAskingTheLastTime(call);
            at(2_699, call);
            isAskingTheLastTime(call);
            lacking = List.of();
            pool.openLine().serve();
            isOver(call, true, true);
            assertThat(call.askedNanos()).isEqualTo(millis(200 + 699));
            assertThat(call.reason()).isEqualTo(Reason.OUTCOMES);
        }

        @Test
        void isRefusedWhenItsTimeForTheStoreIsOver() {
            PendingCall call = asks(pool);
            at(500, call);
            at(999, call);
            isWaitingForTheStore(call);
            at(1_000, call);
            isOver(call, false, true);
            assertThat(call.askedNanos()).isEqualTo(millis(1_000));
        }

        @Test
        void isRefusedWhenItsTimeForOutcomesIsOver() {
            PendingCall call = asks(pool);
            storeHasNothing(pool);
            at(1_999, call);
            isAwaitingOutcomes(call);
            at(2_000, call);
            isOver(call, false, true);
            assertThat(call.askedNanos()).isZero();
        }

        @Test
        void isRefusedAfterItsLastQuestion() {
            PendingCall call = asks(pool);
            storeHasNothing(pool);
            pool.openLine().askAgain();
            at(2_000, call);
            isAskingTheLastTime(call);
            storeHasNothing(pool); // there is no time to await outcomes again
            isOver(call, false, true);
        }

        @Test
        void makesALastAttemptWhenItsTimeIsOver() {
            PendingCall call = asks(pool);
            lacking = List.of();
            at(1_000, call);
            isOver(call, true, true);
        }

        @Test
        void isRefusedIfNothingMayComeBackEither() {
            PendingCall call = asks(pool);
            pool.addRefundable(-1, pool.state(NOW));
            storeHasNothing(pool);
            isOver(call, false, true);
            assertThat(call.reason()).isEqualTo(Reason.STORE);
        }

        @Test
        void givesUpIfTooManyWait() {
            PendingCall call = asks(pool);
            mostWaiting = 0;
            at(200, call);
            isOver(call, false, false);
            assertThat(warnings).containsExactly("waits");
        }

        @Test
        void givesUpIfTooManyWaitWhenItWouldAskTheLastTime() {
            PendingCall call = asks(pool);
            storeHasNothing(pool);
            pool.openLine().askAgain();
            mostWaiting = 0;
            at(2_000, call);
            isOver(call, false, false);
        }

        @Test
        void isRefusedIfTooManyAwaitOutcomes() {
            PendingCall call = asks(pool);
            mostAwaiting = 0;
            storeHasNothing(pool);
            isOver(call, false, true);
            assertThat(warnings).containsExactly("outcomes");
        }

        @Test
        void thatItsCallerGivesUpPassesIfItsLastAttemptDoes() {
            PendingCall refused = asks(pool);
            refused.giveUp();
            isOver(refused, false, false);
            decided.set(0);
            PendingCall taken = asks(pool);
            lacking = List.of();
            taken.giveUp();
            isOver(taken, true, true);
        }

        @Test
        void staysDecided() {
            PendingCall call = asks(pool);
            call.end();
            lacking = List.of();
            call.giveUp();
            call.end();
            at(5_000, call);
            isOver(call, false, true);
        }

        @Test
        void thatLacksTwoLimitsAsksAgainOnceItAwaitsNeither() {
            PendingCall call = asks(pool, other);
            storeHasNothing(pool);
            storeHasNothing(other);
            isAwaitingOutcomes(call);
            pool.openLine().askAgain();
            isAwaitingOutcomes(call);
            checked.clear();
            other.openLine().askAgain();
            isAskingAgain(call);
            assertThat(checked).containsExactly(pool, other);
        }

        @Test
        void asksAgainWhenItHasLeftTheLineWhereItAwaitedOutcomes() {
            PendingCall call = asks(pool);
            storeHasNothing(pool);
            lacking = List.of(lacks(other));
            pool.openLine().serve();
            isAskingAgain(call);
            assertThat(pool.isAnyInLine()).isFalse();
            assertThat(other.isAnyInLine()).isTrue();
        }

        @Test
        void withoutAStoreAsksNobodyTheLastTime() {
            lacking = List.of(lacks(pool));
            PendingCall call = new PendingCall(() -> lacking, around(), 0);
            call.standInLine(lacking);
            isAskingTheStore(call);
            storeHasNothing(pool);
            isAwaitingOutcomes(call);
            pool.openLine().askAgain();
            isAskingAgain(call);
            at(2_000, call);
            isOver(call, false, true);
            assertThat(call.askedNanos()).isZero();
        }

        /** Nobody would come back to it. */
        @Test
        void leavesItsLineEvenIfItsLastAttemptThrows() {
            PendingCall call = new PendingCall(
                    () -> {
                        throw new IllegalStateException("an attempt");
                    },
                    around(),
                    0);
            call.standInLine(List.of(lacks(pool)));
            assertThatThrownBy(call::end).hasMessage("an attempt");
            isOver(call, false, true);
        }
    }

    /** What others run may take locks of its own, or serve other calls. */
    @Test
    void holdsNoLockWhileOthersRun() {
        lacking = List.of(lacks(pool));
        List<String> ran = new ArrayList<>();
        PendingCall[] calls = new PendingCall[1];
        Surroundings around = new Surroundings(
                nanos::get,
                policy,
                checked -> {
                    assertThat(Thread.holdsLock(calls[0])).isFalse();
                    ran.add("check");
                },
                decided::incrementAndGet);
        PendingCall call = new PendingCall(() -> lacking, around, 0, millis(1_000), 0, millis(200));
        calls[0] = call;
        call.standInLine(lacking);
        PendingCall behind = asks(pool);
        lacking = List.of(lacks(pool));
        var unused = call.whenDecided(work -> {
            assertThat(Thread.holdsLock(call)).isFalse();
            ran.add("executor");
            work.run();
        });
        call.giveUp();
        assertThat(ran).containsExactly("check", "check", "executor");
        behind.end();
    }

    /** Whatever comes first decides; nothing is lost, and nothing is counted twice. */
    @Test
    void isDecidedOnceWhateverComesFirst() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Set<PendingState> decisions = EnumSet.noneOf(PendingState.class);
            for (int round = 0; round < 2_000; round++) {
                decisions.add(race(threads));
            }
            assertThat(decisions).as("the race is open").hasSizeGreaterThan(1);
        } finally {
            threads.shutdownNow();
        }
    }

    /** A permit is put into the pool and the line is served, while its time ends and its caller gives up. */
    private PendingState race(ExecutorService threads) throws Exception {
        Permits permits = new Permits(0);
        decided.set(0);
        nanos.set(0);
        List<Shortage> none = List.of();
        List<Shortage> one = List.of(lacks(pool));
        Surroundings around = new Surroundings(nanos::get, policy, checked -> {}, decided::incrementAndGet);
        PendingCall call = new PendingCall(
                () -> permits.take(1, 0, 0) >= 0 ? none : one, around, 0, millis(1_000), 0, millis(200));
        call.standInLine(one);
        call.checkOwnTime();
        CyclicBarrier start = new CyclicBarrier(3);
        List<CompletableFuture<Void>> all = Stream.<Runnable>of(
                        () -> {
                            permits.add(1);
                            pool.openLine().serve();
                        },
                        () -> {
                            nanos.set(millis(1_000));
                            call.checkOwnTime();
                        },
                        call::giveUp)
                .map(part -> CompletableFuture.runAsync(() -> meet(start, part), threads))
                .toList();
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
        assertThat(call.taken).isDone();
        assertThat(permits.left()).isEqualTo(call.hasTaken() ? 0 : 1);
        isOver(call, call.hasTaken(), call.couldStay());
        return call.hasTaken() ? PendingState.TAKEN : call.couldStay() ? PendingState.REFUSED : PendingState.GAVE_UP;
    }

    private static void meet(CyclicBarrier start, Runnable part) {
        try {
            start.await(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        part.run();
    }
}
