package dev.sluice.internal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A bucket of 12 tokens, of which 7 flow in every three seconds: one in 428.57 ms. */
class GcraTest {

    private static final long NOW = 1_627_318_780_000L;
    private static final Gcra BUCKET = Gcra.of(7, 3_000, 12);
    private static final long MILLI = 7;
    private static final long TOKEN = 3_000;

    private static long taken(Gcra bucket, long tokens) {
        return bucket.take(SingleWordAlgorithm.FULL, tokens, 0, NOW);
    }

    @Test
    void unitsDivideATokenAndAMillisecond() {
        assertThat(BUCKET).isEqualTo(new Gcra(TOKEN, MILLI, 12 * TOKEN, 12 * TOKEN + 10_000 * MILLI));
        assertThat(Gcra.of(6, 60_000, 2)).isEqualTo(new Gcra(10_000, 1, 20_000, 20_000 + 60_000));
    }

    @Test
    void takesOnlyIfEnoughRemains() {
        long arrival = taken(BUCKET, 5);

        assertThat(BUCKET.left(arrival, NOW)).isEqualTo(7);
        assertThat(BUCKET.take(arrival, 4, 3, NOW)).isEqualTo(NOW * MILLI + 9 * TOKEN);
        assertThat(BUCKET.take(arrival, 4, 4, NOW)).isEqualTo(SingleWordAlgorithm.TOO_FEW);
        assertThat(BUCKET.take(taken(BUCKET, 12), 0, 0, NOW)).isEqualTo(taken(BUCKET, 12));
    }

    /** The units of such a cost take 63 bits, 64 bits, or more. */
    @Test
    void refusesACostWhoseUnitsOverflow() {
        Gcra slow = Gcra.of(7, Duration.ofDays(365).toMillis() + 1, 7);

        for (long cost : new long[] {280_000_000, 400_000_000, 900_000_000, Limit.MAX_THRESHOLD}) {
            assertThat(taken(slow, cost)).as("" + cost).isEqualTo(SingleWordAlgorithm.TOO_FEW);
            assertThat(slow.take(SingleWordAlgorithm.FULL, 1, cost, NOW)).isEqualTo(SingleWordAlgorithm.TOO_FEW);
        }
        long arrival = taken(slow, 7);
        assertThat(arrival).isPositive();
        assertThat(slow.left(slow.putBack(arrival, Limit.MAX_THRESHOLD, arrival, NOW), NOW))
                .isEqualTo(7);
    }

    @Test
    void chargesAreCutToWhatABucketCanLack() {
        long owing = BUCKET.charge(taken(BUCKET, 12), 3, NOW);
        assertThat(owing).isEqualTo(NOW * MILLI + 15 * TOKEN);
        assertThat(BUCKET.left(owing, NOW)).isEqualTo(-3);

        long most = BUCKET.charge(owing, Limit.MAX_THRESHOLD, NOW);
        assertThat(most).isEqualTo(NOW * MILLI + 35 * TOKEN);
        assertThat(most + TOKEN).isGreaterThan(NOW * MILLI + BUCKET.furthest());
        assertThat(BUCKET.charge(most, 1, NOW)).isEqualTo(most);
    }

    @Test
    void returnsNoMoreThanWasTakenAndHasNotFlowedIn() {
        long arrival = taken(BUCKET, 5);
        assertThat(BUCKET.putBack(arrival, 2, arrival, NOW)).isEqualTo(arrival - 2 * TOKEN);
        assertThat(BUCKET.left(BUCKET.putBack(arrival, Limit.MAX_THRESHOLD, arrival, NOW), NOW))
                .isEqualTo(12);
        assertThat(BUCKET.putBack(arrival, 5, arrival, NOW + 1_000)).isEqualTo(NOW * MILLI + 1_000 * MILLI);

        assertThat(BUCKET.putBack(arrival, 2)).isEqualTo(arrival - 2 * TOKEN);
        assertThat(BUCKET.putBack(arrival, Limit.MAX_THRESHOLD)).isEqualTo(arrival - 12 * TOKEN);
        assertThat(BUCKET.putBack(1, 1)).isEqualTo(SingleWordAlgorithm.FULL);
    }

    @Test
    void predictsWhenEnoughTokensAreThere() {
        long arrival = taken(BUCKET, 12);

        assertThat(BUCKET.millisUntil(arrival, 0, NOW)).isZero();
        assertThat(BUCKET.millisUntil(arrival, 1, NOW)).isEqualTo(429);
        assertThat(BUCKET.millisUntil(arrival, 7, NOW)).isEqualTo(3_000);
        assertThat(BUCKET.millisUntil(arrival, Limit.MAX_THRESHOLD, NOW)).isEqualTo(BUCKET.millisToRefill());
        assertThat(BUCKET.millisUntil(taken(BUCKET, 5), 7, NOW)).isZero();
    }

    @Test
    void isIdleOnceItIsFull() {
        long arrival = taken(BUCKET, 7);

        assertThat(BUCKET.isIdle(arrival, NOW + 2_999)).isFalse();
        assertThat(BUCKET.isIdle(arrival, NOW + 3_000)).isTrue();
    }

    @Test
    void discardsArrivalsTooFarAheadAfterAClockStep() {
        long arrival = taken(BUCKET, 12);

        assertThat(BUCKET.normalised(arrival, NOW - 10_000)).isEqualTo(arrival);
        assertThat(BUCKET.normalised(arrival, NOW - 10_001)).isEqualTo(SingleWordAlgorithm.FULL);
    }

    @Test
    void asManyTokensAreMissingAfterItsFiguresHaveChanged() {
        Gcra next = Gcra.of(11, 2_000, 40); // a token has 2000 units, a millisecond 11

        assertThat(next.carriedOver(taken(BUCKET, 5), BUCKET, NOW)).isEqualTo(NOW * 11 + 5 * 2_000);
        assertThat(next.carriedOver(taken(BUCKET, 5), BUCKET, NOW + 1))
                .as("a part of a token, rounded up")
                .isEqualTo((NOW + 1) * 11 + 9_996);
        assertThat(Gcra.of(11, 2_000, 1).carriedOver(BUCKET.charge(0, 99, NOW), BUCKET, NOW))
                .as("no more than it can be short of")
                .isEqualTo(NOW * 11 + 2_000 + 11 * 10_000 - 42_000);
    }

    @Test
    void aQueueIsDeepEnoughForAFractionOfAToken() {
        assertThat(BUCKET.deepenedByRemainder(1_000))
                .isEqualTo(new Gcra(TOKEN, MILLI, 12 * TOKEN + 1_000, 12 * TOKEN + 1_000 + 10_000 * MILLI));
    }
}
