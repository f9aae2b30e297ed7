package dev.sluice.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class MachineLoadTest {

    /** What a machine of this size can be expected to have under way. */
    private static final int MANY = 50 * Runtime.getRuntime().availableProcessors();

    private final MachineLoad load = new MachineLoad();

    @Test
    void callsUnderWayAreAPartOfWhatTheProcessorsCanBeExpectedToDo() {
        assertThat(load.load()).isZero();
        begin(MANY / 2);
        assertThat(load.load()).isEqualTo(0.5);
        load.ended();
        assertThat(load.load()).isLessThan(0.5);
    }

    @Test
    void isNeverMoreThanOne() {
        begin(3 * MANY);
        assertThat(load.load()).isEqualTo(1);
    }

    @Test
    void busyProcessorsAreSeenWithoutAnyCall() throws InterruptedException {
        AtomicBoolean enough = new AtomicBoolean();
        List<Thread> busy = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread thread = new Thread(() -> {
                while (!enough.get()) {
                    Thread.onSpinWait();
                }
            });
            thread.setDaemon(true);
            thread.start();
            busy.add(thread);
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (load.load() < 0.5 && System.nanoTime() < deadline) {
            load.look();
        }
        enough.set(true);
        for (Thread thread : busy) {
            thread.join();
        }
        assertThat(load.load()).isBetween(0.5, 1.0);
    }

    private void begin(int calls) {
        for (int i = 0; i < calls; i++) {
            load.begun();
        }
    }
}
