package dev.sluice.internal.limiter.rule;

import static dev.sluice.internal.limiter.rule.InstanceProtocol.ALL_ALIVE_KNOWN_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.BATCH_PAUSE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.CHANCE_WEIGHT;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.KEPT_PERMIT_QUARTERS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LATE_STEP_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LEASE_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LEAST_CHANCE;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_EMPTY_BATCH_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LONGEST_RESEND_PAUSE_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.LOOK_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.NOTICED_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.PRESENT_EVERY_NANOS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.QUIET_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORTS_KEPT_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORTS_RECENT_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.REPORT_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.RUNS_LOW_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.RUNS_LOW_SOON_MILLIS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.TICKS_PER_INTERVAL;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.UNTRUSTED_INTERVALS;
import static dev.sluice.internal.limiter.rule.InstanceProtocol.recallPauseNanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.exchange.Batch.Fleet;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What must hold between figures of the protocol. */
class InstanceProtocolTest {

    @Test
    void aReportMayFailOnceBeforeALeaseIsDoubted() {
        assertThat(LEASE_INTERVALS - UNTRUSTED_INTERVALS).isGreaterThanOrEqualTo(REPORT_INTERVALS + 1);
    }

    /** A step notices at the latest one tick after the time, and any later step drops the permits first. */
    @Test
    void aLeaseIsDoubtedBeforeItEnds() {
        assertThat(UNTRUSTED_INTERVALS).isGreaterThanOrEqualTo(LATE_STEP_INTERVALS + 1.0 / TICKS_PER_INTERVAL);
    }

    @Test
    void aKeptPermitIsReturnedSomeTicksBeforeItsLeaseEnds() {
        assertThat(KEPT_PERMIT_QUARTERS / 4.0).isGreaterThanOrEqualTo(2.0 / TICKS_PER_INTERVAL);
    }

    @Test
    void aCounterIsQuietOneTickBeforeAnIntervalIsOver() {
        assertThat(QUIET_INTERVALS).isLessThan(1 - 1.0 / TICKS_PER_INTERVAL);
    }

    @Test
    void shareIsSeenToRunLowBeforeItIsUsedUp() {
        assertThat(LOOK_NANOS / 1e6).isLessThan(RUNS_LOW_MILLIS);
        assertThat(RUNS_LOW_SOON_MILLIS).isGreaterThan(RUNS_LOW_MILLIS + BATCH_PAUSE_NANOS / 1_000_000);
    }

    @Test
    void oneBatchMayFailBeforeAnIdleInstanceCountsAsGone() {
        assertThat(2 * LONGEST_EMPTY_BATCH_NANOS).isLessThan(Fleet.LIFE.toNanos());
    }

    /** It says so with the first batch after {@link InstanceProtocol#PRESENT_EVERY_NANOS}. */
    @Test
    void whoIsAliveHasSaidSoInTime() {
        long longest = PRESENT_EVERY_NANOS + LONGEST_EMPTY_BATCH_NANOS;
        assertThat(longest).isLessThan(Fleet.LIFE.toNanos()).isLessThanOrEqualTo(ALL_ALIVE_KNOWN_NANOS);
    }

    @Test
    void whoTriesAgainNoticesInTimeThatTheStoreIsBack() {
        assertThat(LONGEST_RESEND_PAUSE_NANOS).isLessThan(NOTICED_NANOS);
    }

    @Test
    void reportsAreKeptUntilTheNextSnapshot() {
        assertThat(REPORTS_KEPT_MILLIS).isGreaterThan(Duration.ofHours(1).toMillis());
        assertThat(REPORTS_RECENT_MILLIS)
                .as("eleven seconds until Sentinel demotes a master")
                .isGreaterThan(11_000);
    }

    @Test
    void onePauseOfACallerWhoWasAlwaysInTimeChangesNothing() {
        assertThat(1 - CHANCE_WEIGHT).isGreaterThanOrEqualTo(LEAST_CHANCE);
    }

    @Test
    void aCallerWhoCalledElsewhereHasToBeInTimeFiveTimes() {
        assertThat(1 - Math.pow(1 - CHANCE_WEIGHT, 4)).isLessThan(LEAST_CHANCE);
        assertThat(1 - Math.pow(1 - CHANCE_WEIGHT, 5)).isGreaterThanOrEqualTo(LEAST_CHANCE);
    }

    @Test
    void pausesBetweenRecallsGrowAndThenStay() {
        assertThat(IntStream.range(0, 6).mapToLong(InstanceProtocol::recallPauseNanos))
                .isSorted()
                .startsWith(1_000_000L, 2_000_000L)
                .endsWith(10_000_000L, 10_000_000L, 10_000_000L);
        assertThat(recallPauseNanos(Integer.MAX_VALUE)).isEqualTo(recallPauseNanos(5));
    }
}
