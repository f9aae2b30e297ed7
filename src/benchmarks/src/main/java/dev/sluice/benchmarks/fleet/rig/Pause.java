package dev.sluice.benchmarks.fleet.rig;

import java.util.concurrent.locks.LockSupport;

/** Waits until a given time. */
public final class Pause {

    private Pause() {}

    public static void untilNanos(long nanoTime) {
        for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    public static void millis(long millis) {
        untilNanos(System.nanoTime() + millis * 1_000_000);
    }
}
