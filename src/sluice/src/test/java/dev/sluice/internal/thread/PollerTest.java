package dev.sluice.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.SlowWork;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PollerTest {

    private final TaskThread shared = new TaskThread("test");

    @AfterEach
    void end() {
        shared.close();
    }

    private Poller atOnce(Poller.Task task) {
        return new Poller(shared, Duration.ZERO, () -> Duration.ofHours(1), task, failure -> {});
    }

    @Test
    void hasNoThreadOnceItIsClosed() throws Exception {
        SlowWork work = new SlowWork();
        AtomicReference<Thread> thread = new AtomicReference<>();
        Poller poller = new Poller(
                "test",
                Duration.ZERO,
                () -> Duration.ofHours(1),
                () -> {
                    thread.set(Thread.currentThread());
                    work.run();
                },
                failure -> {});
        poller.start();
        work.assertIsWaitedForBy(poller);
        thread.get().join();
    }

    @Test
    void waitsForItsRunOnASharedThread() throws Exception {
        SlowWork work = new SlowWork();
        Poller poller = atOnce(work::run);
        poller.start();
        work.assertIsWaitedForBy(poller);
    }

    @Test
    void anErrorEndsNoTask() throws Exception {
        CountDownLatch runs = new CountDownLatch(2);
        Poller failing = new Poller(
                shared,
                Duration.ZERO,
                () -> Duration.ZERO,
                () -> {
                    runs.countDown();
                    throw new StackOverflowError("thrown by the test");
                },
                failure -> {
                    throw new IllegalStateException("thrown by the test", failure);
                });
        failing.start();
        runs.await();
        failing.close();
    }

    @Test
    void closingFreesTheSharedThreadForOthers() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Poller hanging = atOnce(() -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
            }
        });
        hanging.start();
        begun.await();
        atOnce(others::countDown).start();
        hanging.close();
        others.await();
        assertThat(interrupted).isTrue();
    }

    @Test
    void canCloseItselfAndItsThread() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        AtomicReference<Poller> own = new AtomicReference<>();
        own.set(new Poller(
                "test",
                Duration.ZERO,
                () -> Duration.ZERO,
                () -> {
                    own.get().close();
                    closed.countDown();
                },
                failure -> {}));
        long began = System.nanoTime();
        own.get().start();
        closed.await();
        assertThat(System.nanoTime() - began).as("nanoseconds").isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
}
