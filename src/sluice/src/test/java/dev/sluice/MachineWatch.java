package dev.sluice;

import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/**
 * Notices when the machine stands still: when a thread of this process wakes late, or another process is late to answer
 * what it answers at once. No promise in real time covers such pauses. A game that fails beside one therefore proves
 * nothing, and is {@linkplain #playAgain played again}; but one that fails while the machine runs has failed, and so
 * has one that never succeeds. Thread-safe.
 */
public final class MachineWatch implements AutoCloseable {

    /** Pauses up to here break no promise, says {@code docs/counting-together.md}. */
    public static final Duration HARMLESS = Duration.ofMillis(200);

    /** How often something is played at most. */
    public static final int MOST_GAMES = 4;

    private static final String SELF = "this process";
    private static final Duration EVERY = Duration.ofMillis(5);

    /** What is shorter is the grain of timers. */
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Something in real time that may fail. */
    public interface Game {

        /**
         * Plays it from the start.
         *
         * @param watch watches this process meanwhile; the game may let it watch others
         */
        void play(MachineWatch watch) throws Exception;
    }

    /** Where time comes from. */
    interface Time {

        Time REAL = new Time() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void sleep(long nanos) {
                LockSupport.parkNanos(nanos);
            }
        };

        long nanos();

        /** Sleeps this long, or longer. */
        void sleep(long nanos);
    }

    private record Pause(String who, long fromNanos, long toNanos) {

        long within(long beganNanos, long endedNanos) {
            return Math.max(0, Math.min(toNanos, endedNanos) - Math.max(fromNanos, beganNanos));
        }
    }

    private final Time time;
    private final Queue<Pause> pauses = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    /** Watches this process until it is closed. */
    public MachineWatch() {
        this(Time.REAL);
        watch(SELF, EVERY, () -> {});
    }

    /** Watches nothing yet. */
    MachineWatch(Time time) {
        this.time = time;
    }

    /**
     * Watches something else too, until this is closed.
     *
     * @param who what it is, in the output of the test
     * @param probe returns at once unless that stands still; must not need what the test examines
     */
    public void watch(String who, Duration every, Runnable probe) {
        Thread thread = new Thread(
                () -> {
                    while (!ended) {
                        lookOnce(who, every, probe);
                    }
                },
                "watch of " + who);
        thread.setDaemon(true);
        thread.start();
    }

    /** Sleeps, asks, and notes a pause if that took too long. */
    void lookOnce(String who, Duration every, Runnable probe) {
        long due = time.nanos() + every.toNanos();
        time.sleep(every.toNanos());
        probe.run();
        long now = time.nanos();
        if (now - due >= SHORTEST_NANOS) {
            pauses.add(new Pause(who, due, now));
        }
    }

    /** The longest pause so far. */
    public Duration longestPause() {
        return pauses.stream()
                .map(pause -> Duration.ofNanos(pause.toNanos - pause.fromNanos))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /**
     * Says who stood still for longer than was harmless between these times of {@link System#nanoTime()}; empty if
     * nobody did.
     */
    public Optional<String> standstill(Duration harmless, long fromNanos, long toNanos) {
        return pauses.stream()
                .filter(pause -> pause.within(fromNanos, toNanos) > harmless.toNanos())
                .max(Comparator.comparingLong(pause -> pause.within(fromNanos, toNanos)))
                .map(pause -> "%s stood still for %d ms"
                        .formatted(pause.who, TimeUnit.NANOSECONDS.toMillis(pause.within(fromNanos, toNanos))));
    }

    /** For how long this process has run since a time of {@link System#nanoTime()}: pauses do not count. */
    public long ranNanos(long sinceNanos) {
        long now = time.nanos();
        return now
                - sinceNanos
                - pauses.stream()
                        .filter(pause -> pause.who.equals(SELF))
                        .mapToLong(pause -> pause.within(sinceNanos, now))
                        .sum();
    }

    @Override
    public void close() {
        ended = true;
    }

    /** Plays, and plays again what failed beside a pause; at most {@link #MOST_GAMES} times, then it fails. */
    public static void playAgain(Duration harmless, Game game) throws Exception {
        playAgain(harmless, game, MachineWatch::new, System.out::println);
    }

    static void playAgain(Duration harmless, Game game, Supplier<MachineWatch> watches, Consumer<String> output)
            throws Exception {
        for (int number = 1; ; number++) {
            try (MachineWatch watch = watches.get()) {
                long began = watch.time.nanos();
                try {
                    game.play(watch);
                    return;
                } catch (InterruptedException | TestAbortedException e) {
                    throw e;
                } catch (Exception | AssertionError e) {
                    Optional<String> standstill = watch.standstill(harmless, began, watch.time.nanos());
                    if (standstill.isEmpty() || number == MOST_GAMES) {
                        throw e;
                    }
                    output.accept("Game %d of at most %d proves nothing, since %s; it is played again. What failed: %s"
                            .formatted(number, MOST_GAMES, standstill.get(), e));
                }
            }
        }
    }
}
