package dev.sluice.internal.limiter.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision.Outcome;
import dev.sluice.exchange.Batch.Need;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.fleet.LogLines;
import dev.sluice.internal.limiter.simulation.CallPattern;
import dev.sluice.internal.limiter.sync.ManualSynchroniser;
import dev.sluice.limits.SharingOptions;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Sync;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The store applies a batch, its answer is lost, and the connection stays cut for long. */
@Timeout(60)
class LongCutTest {

    private static final int MINUTE = 61;
    private static final int HOUR = 3_600;
    private static final int TWO_DAYS = 2 * 86_400;
    private static final long LIMIT = 100;

    private static Stream<Arguments> limitsAndCuts() {
        return Stream.concat(
                Stream.of(
                                CallPattern.window(LIMIT, "P7D"),
                                CallPattern.sliding(LIMIT, "P8D", 4),
                                CallPattern.log(LIMIT, "P7D"))
                        .flatMap(limit -> Stream.of(MINUTE, HOUR).map(seconds -> Arguments.of(limit, seconds))),
                Stream.of(Arguments.of(CallPattern.window(LIMIT, "P7D"), TWO_DAYS)));
    }

    /** Some calls are reported and some wait when the answer gets lost. */
    @ParameterizedTest
    @MethodSource("limitsAndCuts")
    void noCallCountsTwice(Limit limit, int seconds) {
        try (LogLines log = new LogLines()) {
            ManualSynchroniser machine = new ManualSynchroniser(limit);
            long admitted = calls(machine, 20);
            machine.pass(2_000);
            admitted += calls(machine, 3);
            machine.unheard = true;
            long atRisk = calls(machine, 7);
            admitted += atRisk;
            machine.unresponsive = true;
            machine.pass(seconds * 1_000L);
            machine.unresponsive = false;
            machine.unheard = false;
            machine.pass(10_000);
            admitted += calls(machine, 5);
            machine.pass(10_000);
            long missing = counted(machine) - admitted;
            if (seconds == TWO_DAYS) {
                assertThat(missing).isBetween(-atRisk - 3, 0L);
                assertThat(log.with("tell whether it has already recorded them"))
                        .hasSize(1);
            } else {
                assertThat(missing).isZero();
                assertThat(log.with("already recorded them")).isEmpty();
            }
        }
    }

    /** The store keeps an answer for a minute, which can be less than a lease. */
    @Test
    void anAnswerThatTheStoreHasDroppedDoesNotCount() {
        Sync rare = new Sync(Duration.ofSeconds(30), 0, false);
        ManualSynchroniser machine =
                new ManualSynchroniser(SharingOptions.DEFAULT, rare, CallPattern.sliding(LIMIT, "PT8H", 4));
        long admitted = calls(machine, 20);
        machine.pass(40_000);
        machine.unheard = true;
        admitted += calls(machine, 40);
        machine.unresponsive = true;
        machine.pass(90_000);
        machine.unresponsive = false;
        machine.unheard = false;
        machine.pass(3_000);
        assertThat(machine.call("a").shown().remaining()).isEqualTo(LIMIT - admitted - 1);
    }

    private static long calls(ManualSynchroniser machine, int number) {
        long admitted = 0;
        for (int i = 0; i < number; i++) {
            admitted += machine.call("a").outcome() == Outcome.ADMITTED ? 1 : 0;
            machine.pass(5);
        }
        return admitted;
    }

    /** What another instance is not granted. */
    private static long counted(ManualSynchroniser machine) {
        Statement last = machine.lastStatement();
        Need all = new Need(LIMIT, 1, false);
        return LIMIT
                - machine.exchangeOfOther(new Statement(last.key(), List.of(), 0, all, 0, 1, last.rule()))
                        .grants()
                        .get(0)
                        .granted();
    }
}
