package dev.sluice.benchmarks.fleet;

import java.util.concurrent.locks.LockSupport;

/** Waiting until a moment. */
final class Pause {

    private Pause() {}

    static void untilNanos(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    static void millis(long millis) {
        untilNanos(System.nanoTime() + millis * 1_000_000);
    }
}
