package dev.sluice.internal.limiter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineLoadTest {

    /** What a machine of this size can be expected to have in flight. */
    private static final int MANY =
            MachineLoad.CALLS_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();

    @Test
    void callsInFlightCountRelativeToTheProcessors() {
        MachineLoad load = new MachineLoad();
        assertThat(load.load()).isZero();
        begin(load, MANY / 2);
        assertThat(load.load()).isEqualTo(0.5);
        load.ended();
        assertThat(load.load()).isLessThan(0.5);
    }

    @Test
    void isNeverMoreThanOne() {
        MachineLoad load = new MachineLoad();
        begin(load, 3 * MANY);
        assertThat(load.load()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0.75, 0.75", "0.25, 0.5", "1, 1", "-1, 0.5", "NaN, 0.5"})
    void theLargerValueCounts(double processors, double expected) {
        MachineLoad load = new MachineLoad(() -> processors);
        begin(load, MANY / 2);
        assertThat(load.load()).isEqualTo(0.5);
        load.measure();
        assertThat(load.load()).isEqualTo(expected);
    }

    /** It is busy, as this test is run on it. */
    @Test
    @Timeout(20)
    void thisMachineReportsItsLoad() {
        MachineLoad load = new MachineLoad();
        while (load.load() == 0 && !Thread.currentThread().isInterrupted()) {
            load.measure();
        }
        assertThat(load.load()).isGreaterThan(0).isLessThanOrEqualTo(1);
    }

    private static void begin(MachineLoad load, int calls) {
        for (int i = 0; i < calls; i++) {
            load.begun();
        }
    }
}
