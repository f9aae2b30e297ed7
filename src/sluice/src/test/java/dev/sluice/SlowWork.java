package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that is still in flight on a thread when that is told to end. What ends the thread has to wait for it: Tomcat
 * looks for threads right after an application has stopped, and reports those that it finds as leaks.
 */
public final class SlowWork {

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CountDownLatch begun = new CountDownLatch(1);
    private volatile boolean ended;

    /** Does the work, which no interrupt cuts short. */
    public void run() {
        begun.countDown();
        long end = System.nanoTime() + NANOS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        ended = true;
    }

    /** Closes what runs the work while it is in flight, and asserts that it has ended then. */
    public void assertIsWaitedForBy(AutoCloseable closing) throws Exception {
        boolean hasBegun = begun.await(60, TimeUnit.SECONDS);
        closing.close();
        boolean hasEnded = ended;
        assertThat(hasBegun).as("the work has begun").isTrue();
        assertThat(hasEnded).as("the work has ended").isTrue();
    }
}
