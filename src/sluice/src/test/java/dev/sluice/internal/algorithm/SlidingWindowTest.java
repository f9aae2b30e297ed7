package dev.sluice.internal.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.tier.Limit;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weights of large numbers, beside the same arithmetic in numbers without an end. */
class SlidingWindowTest {

    private static final long FRAME = Limit.MAX_PERIOD.toMillis();

    private static BigInteger times(long count, long part) {
        return BigInteger.valueOf(count).multiply(BigInteger.valueOf(part));
    }

    private static long weight(long count, long covered) {
        BigInteger frame = BigInteger.valueOf(FRAME);
        return times(count, covered)
                .add(frame.subtract(BigInteger.ONE))
                .divide(frame)
                .longValueExact();
    }

    /** How far into its frame a count weighs no more than this. */
    private static long millisInto(long room, long count) {
        return FRAME - times(FRAME, room).divide(BigInteger.valueOf(count)).longValueExact();
    }

    @Test
    void isExactIfItsProductsFitIntoALong() {
        Random random = new Random(1);
        for (int i = 0; i < 2_000; i++) {
            long count = 250_000_000L - random.nextInt(1_000); // times the length of the frame, that is 0.86 words
            long elapsed = random.nextInt(1_000_000);
            long room = count - 1 - random.nextInt(1_000);

            assertThat(SlidingWindow.weightOfPast(7, count, elapsed, FRAME))
                    .isEqualTo(7 + weight(count, FRAME - elapsed));
            assertThat(SlidingWindow.weightOfPast(7, count, 0, FRAME)).isEqualTo(7 + count);
            assertThat(SlidingWindow.millisUntil(room, 0, new long[] {count}, 0, FRAME))
                    .isEqualTo(millisInto(room, count));
        }
    }

    /** The first product has its 64th bit set, the second one needs more than 64 bits. */
    @ParameterizedTest
    @CsvSource({"400_000_000", "1_000_000_000_000"})
    void isOffByOneAtMostIfAProductOverflows(String written) {
        long count = Long.parseLong(written.replace("_", ""));
        for (long elapsed : new long[] {0, 1, 1_000_000, FRAME / 8}) {
            long weight = SlidingWindow.weightOfPast(0, count, elapsed, FRAME);
            assertThat(weight).isBetween(weight(count, FRAME - elapsed), weight(count, FRAME - elapsed) + 1);
        }
        for (long room : new long[] {count - 1, count - 1_000, count / 8 * 7}) {
            long until = SlidingWindow.millisUntil(room, 0, new long[] {count}, 0, FRAME);
            assertThat(until).isBetween(millisInto(room, count) - 1, millisInto(room, count) + 1);
        }
    }

    /** Nobody can call with it, but a clock may step. */
    @Test
    void weighsThePastFullyBeforeTheFrameAndNotAtAllAfterIt() {
        assertThat(SlidingWindow.weightOfPast(7, 10, -1, 60)).isEqualTo(17);
        assertThat(SlidingWindow.weightOfPast(7, 10, 61, 60)).isEqualTo(7);
    }

    @Test
    void predictsWhenTheEstimateFalls() {
        long[] past = {6, 12};

        assertThat(SlidingWindow.millisUntil(30, 12, past, 15, 60))
                .as("already")
                .isZero();
        assertThat(SlidingWindow.millisUntil(18, 12, past, 15, 60))
                .as("without the oldest")
                .isEqualTo(45);
        assertThat(SlidingWindow.millisUntil(15, 12, past, 15, 60))
                .as("with half of the next")
                .isEqualTo(75);
        assertThat(SlidingWindow.millisUntil(6, 12, past, 15, 60))
                .as("with half of this one")
                .isEqualTo(135);
        assertThat(SlidingWindow.millisUntil(0, 12, past, 15, 60)).isEqualTo(165);
        assertThat(SlidingWindow.millisUntil(0, 0, new long[] {5, 0}, 15, 60)).isEqualTo(105);
        assertThat(SlidingWindow.millisUntil(-1, 12, past, 15, 60)).as("never").isEqualTo(165);
    }
}
