package dev.sluice.internal.limiter.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.limits.SharingOptions;
import dev.sluice.limits.SharingOptions.OnFailure;
import dev.sluice.open.RecordingLogger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a log says of a store that is unavailable: what happened, what it means for limits, what happens next. */
class OutageLogTest {

    private static final SharingOptions OPTIONS = new SharingOptions(OnFailure.LOCAL, Duration.ofMillis(50));
    private static final String REFUSED = "redis://127.0.0.1:6379 cannot be reached: Connection refused";
    private static final String BACK =
            "INFO The store is back. Instances count together again, and report calls admitted without it";
    private static final String CAUSES =
            " If the store and the network are healthy, the store sometimes takes longer than sync.timeout (50 ms) to "
                    + "answer. Raise sync.timeout to let calls wait longer.";

    private final RecordingLogger log = new RecordingLogger();
    private final OutageLog outage = new OutageLog(log, RateLimitListener.NONE);

    private static long after(int millis) {
        return millis * 1_000_000L;
    }

    private static String unavailable(String reason, String hint) {
        return "WARN The store is unavailable (" + reason
                + "). Until it answers, each instance counts alone, so each may admit up to the whole limit. "
                + "Sluice keeps trying, and logs when the store is back."
                + hint;
    }

    @Test
    void logsOnceThatTheStoreIsUnavailableAtStartUpAndOnceThatItIsBack() {
        outage.goesOn(REFUSED, OPTIONS, after(0));
        outage.startsUnavailable(OPTIONS, after(1));
        outage.goesOn(REFUSED, OPTIONS, after(1_000));
        outage.goesOn(REFUSED, OPTIONS, after(5_000));
        outage.ends(0);
        outage.ends(0);
        assertThat(log.entries())
                .containsExactly(
                        unavailable(REFUSED, "").replace("is unavailable (", "is unavailable at start-up ("), BACK);
    }

    @Test
    void logsASilentStoreAtStartUp() {
        outage.startsUnavailable(OPTIONS, after(5_000));
        assertThat(log.entries())
                .containsExactly(unavailable("it has not answered", "")
                        .replace("is unavailable (", "is unavailable at start-up ("));
    }

    @Test
    void logsNoShortOutage() {
        outage.goesOn(REFUSED, OPTIONS, after(0));
        outage.goesOn(REFUSED, OPTIONS, after(400));
        outage.ends(0);
        assertThat(log.entries()).isEmpty();
    }

    @Test
    void suggestsNoTimeoutIfTheConnectionIsRefused() {
        outage.goesOn(REFUSED, OPTIONS, after(0));
        outage.goesOn(REFUSED, OPTIONS, after(600));
        outage.ends(0);
        assertThat(log.entries()).containsExactly(unavailable(REFUSED, ""), BACK);
    }

    @Test
    void logsANewCauseOfALongOutageOnce() {
        String password = "redis://127.0.0.1:6379 requires a password; the store uri has none";
        outage.goesOn(REFUSED, OPTIONS, after(0));
        outage.goesOn(REFUSED, OPTIONS, after(600));
        outage.goesOn(password, OPTIONS, after(1_000));
        assertThat(log.entries()).containsExactly(unavailable(REFUSED, ""));
        for (int second = 11; second < 60; second++) {
            outage.goesOn(password, OPTIONS, after(second * 1_000));
            outage.goesOn(REFUSED, OPTIONS, after(second * 1_000 + 500));
        }
        outage.ends(0);
        assertThat(log.entries())
                .containsExactly(
                        unavailable(REFUSED, ""),
                        "WARN The store is still unavailable, now for a different reason (" + password
                                + "). Sluice keeps trying, and logs when the store is back.",
                        BACK);
    }

    @Test
    void logsOnlyAFewCauses() {
        for (int second = 0; second < 1_000; second++) {
            outage.goesOn("cause " + second, OPTIONS, after(second * 1_000));
        }
        assertThat(log.entries()).hasSize(5);
    }

    @Test
    void suggestsALongerTimeoutIfCallsWaited() {
        outage.delaysCalls(after(60), OPTIONS, after(0));
        assertThat(log.entries())
                .containsExactly(unavailable("it did not answer for 60 ms while calls waited", CAUSES));
    }

    @Test
    void suggestsALongerTimeoutIfTheStoreIsSlow() {
        String late = "redis://127.0.0.1:6379 did not answer in time: 300 ms";
        outage.goesOn(late, OPTIONS, after(0));
        outage.goesOn(late, OPTIONS, after(600));
        assertThat(log.entries()).containsExactly(unavailable(late, CAUSES));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SHARE | each of the 3 instances admits its part of each limit's remaining calls.
        LOCAL | each instance counts alone, so each may admit up to the whole limit.
        ALLOW | every call passes.
        DENY  | calls are refused once this instance has used up the permits it holds.
        """)
    void explainsWhatOnFailureMeans(OnFailure policy, String meaning) {
        outage.startsUnavailable(new SharingOptions(policy, Duration.ofMillis(50), 3), after(0));
        assertThat(log.entries())
                .singleElement()
                .asString()
                .contains("). Until it answers, " + meaning + " Sluice keeps trying");
    }
}
