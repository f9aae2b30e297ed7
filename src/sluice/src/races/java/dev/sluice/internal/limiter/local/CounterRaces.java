package dev.sluice.internal.limiter.local;

import dev.sluice.internal.limiter.block.Blocks;
import dev.sluice.internal.limiter.counter.Counter;
import dev.sluice.internal.limiter.counter.CounterFamilies;
import dev.sluice.internal.limiter.counter.CounterFamily;
import dev.sluice.internal.limiter.counter.Pool;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.util.LoggingLevel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls that race for the permits of one counter are decided as if they had come one after another. Lincheck makes up
 * short games of two threads, and plays each game many times, with the threads interleaved in another way each time.
 */
class CounterRaces {

    static Stream<Class<? extends Game>> games() {
        return Stream.of(
                FixedWindows.class, SlidingWindows.class, SlidingLogs.class, ChangedBucket.class, Slots.class);
    }

    @ParameterizedTest
    @MethodSource("games")
    void callsAreDecidedAsIfTheyHadComeOneAfterAnother(Class<? extends Game> game) {
        new ModelCheckingOptions()
                .iterations(20)
                .invocationsPerIteration(500)
                .threads(2)
                .actorsBefore(1)
                .actorsPerThread(3)
                .actorsAfter(3)
                .logLevel(LoggingLevel.ERROR)
                .check(game);
    }

    /** One counter, and the calls that take from it. */
    public abstract static class Game {

        private static final long START = 1_627_318_780_000L;
        private static final Duration SECOND = Duration.ofSeconds(1);

        /** Its clock stands still: counters ask it only about calls that come very late. */
        private static final CounterFamilies FAMILIES =
                new CounterFamilies(new UnsharedCounting(() -> Instant.ofEpochMilli(START)), () -> 0, new Blocks(() -> 0));

        private final AtomicLong nowMillis = new AtomicLong(START);
        private Counter counter;

        Game(CounterFamily family) {
            this.counter = LocalCounters.open(family, "acme");
        }

        /** A family that all games share, so that Lincheck need not follow how it is made. */
        static CounterFamily family(Limit limit) {
            return FAMILIES.of(
                    new CounterFamily.Identity("e", "GET", new Tier("t", limit), List.of("tenant"), List.of("ip")));
        }

        final void letSecondPass() {
            nowMillis.addAndGet(1_000);
        }

        /** The file changes the limit while calls are in flight. */
        final synchronized void change(CounterFamily family) {
            counter = counter.replacedBy(family);
        }

        private synchronized Counter counter() {
            return counter;
        }

        /** What a pool answered. */
        private record Taken(Pool pool, long state, long atMillis) {

            boolean isAdmitted() {
                return state != Pool.TOO_FEW;
            }
        }

        private Taken take(int cost, int holders) {
            long now = nowMillis.get();
            while (true) {
                Pool pool = counter().at(now);
                long state = pool == null ? Pool.CLOSED : pool.take(cost, 0, holders, now);
                if (pool != null && state != Pool.CLOSED) {
                    return new Taken(pool, state, now);
                }
            }
        }

        @Operation
        public boolean admit() {
            return take(1, 0).isAdmitted();
        }

        @Operation
        public boolean admitForTwo() {
            return take(2, 0).isAdmitted();
        }

        /** A call that another limit admits too. */
        @Operation
        public boolean holdAndKeep() {
            Taken taken = take(1, 1);
            if (taken.isAdmitted()) {
                taken.pool.keep();
            }
            return taken.isAdmitted();
        }

        /** A call that another limit refuses. No call is refused because of it. */
        @Operation
        public boolean holdAndRelease() {
            Taken taken = take(2, 1);
            if (taken.isAdmitted()) {
                taken.pool.release(2, taken.state, taken.atMillis);
            }
            return taken.isAdmitted();
        }
    }

    /** Calls race with the end of the window. */
    public static class FixedWindows extends Game {

        private static final CounterFamily LIMIT = family(new Limit.FixedWindow(3, Game.SECOND));

        public FixedWindows() {
            super(LIMIT);
        }

        @Operation
        public void nextWindow() {
            letSecondPass();
        }
    }

    /** Calls race with the end of the frame, whose calls weigh in the next one. */
    public static class SlidingWindows extends Game {

        private static final CounterFamily LIMIT = family(new Limit.SlidingWindow(3, Game.SECOND, 1));

        public SlidingWindows() {
            super(LIMIT);
        }

        /** Once, since a counter asks the clock, which stands still, about calls that are two frames late. */
        @Operation(runOnce = true)
        public void nextFrame() {
            letSecondPass();
        }
    }

    /** Calls race with each other for the monitor. */
    public static class SlidingLogs extends Game {

        private static final CounterFamily LIMIT = family(new Limit.SlidingLog(3, Game.SECOND));

        public SlidingLogs() {
            super(LIMIT);
        }
    }

    /** Calls race with a change of the limit. */
    public static class ChangedBucket extends Game {

        private static final CounterFamily LIMIT = family(new Limit.TokenBucket(3, Game.SECOND, 3));
        private static final CounterFamily SLOWER = family(new Limit.TokenBucket(3, Game.SECOND.multipliedBy(2), 3));

        public ChangedBucket() {
            super(LIMIT);
        }

        @Operation
        public void changeLimit() {
            change(SLOWER);
        }
    }

    /** Calls race with each other for slots that stay occupied. */
    public static class Slots extends Game {

        private static final CounterFamily LIMIT = family(new Limit.Concurrency(3, Limit.Concurrency.Scope.SERVER));

        public Slots() {
            super(LIMIT);
        }
    }
}
