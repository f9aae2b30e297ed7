package dev.sluice;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for an event in other threads, processes or servers, and fails the test if it has not come once the machine has
 * run for a minute.
 */
public final class Eventually {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE_MILLIS = 5;

    private Eventually() {}

    /** Waits until the condition holds; {@code what} describes it in a failure. */
    public static void await(String what, BooleanSupplier condition) {
        await(() -> what, condition);
    }

    /** Waits until the condition holds; {@code what} describes the state at a failure. */
    public static void await(Supplier<String> what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("awaited in vain: " + what.get());
            }
            deadline += lateAfterPause();
        }
    }

    /** Pauses, and returns how late this thread woke: while the machine stands still, nothing can come. */
    private static long lateAfterPause() {
        long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS);
        pause(PAUSE_MILLIS);
        return Math.max(0, System.nanoTime() - due);
    }

    /** Lets real time pass, where a server has its own clock, or where the moment of a call is part of a test. */
    public static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
