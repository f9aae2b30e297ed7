package dev.sluice.internal.limiter;

import static dev.sluice.TestLimits.counting;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.tier;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.RateLimitListener;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What {@code docs/budgets.md} says that too high an estimate costs other calls: the limiter itself, by a clock that is
 * set, for calls that come at random and use 80 % of the budget.
 */
@Tag("docs")
class BudgetsPageTest {

    private static final long BUDGET = 60_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MINUTES = 1_000;

    /** What a call uses: so much on average, from a fifth of it to nine fifths. */
    private static final int USE = 500;

    private static final double CALLS_A_MILLI = 0.8 * BUDGET / USE / MINUTE.toMillis();

    /** So that twenty calls are in flight, on average. */
    private static final double MILLIS_A_TOKEN = 20 / CALLS_A_MILLI / USE;

    /** An admitted call. */
    private record Running(long endsMillis, long use, Decision decision) {}

    /** How calls fare whose estimates are so many times what they use. */
    private static final class Scene implements AutoCloseable {

        private final Random random = new Random(1);
        private final TestClock clock = new TestClock(0);
        private final PriorityQueue<Running> running =
                new PriorityQueue<>(Comparator.comparingLong(Running::endsMillis));
        private final double factor;
        private final CountingRateLimiter limiter;
        private long calls;
        private long refusedThoughFitting;
        private long used;
        private long minute;
        private long usedInMinute;
        private long mostInMinute;

        Scene(double factor) {
            this.factor = factor;
            Cost cost = new Cost(
                    "estimate",
                    call -> Long.parseLong(Objects.requireNonNull(call.header("Estimate"))),
                    Cost.Settling.REFUND);
            limiter = new CountingRateLimiter(
                    TestLimits.of(counting(endpoint("tokens", "/a", tier(BUDGET, MINUTE)), Set.of(), cost)),
                    clock,
                    RateLimitListener.NONE);
        }

        Scene play() {
            double atMillis = 0;
            while (atMillis < MINUTES * MINUTE.toMillis()) {
                endUntil((long) atMillis);
                clock.set((long) atMillis);
                call();
                atMillis += -Math.log(1 - random.nextDouble()) / CALLS_A_MILLI;
            }
            endUntil(Long.MAX_VALUE);
            return this;
        }

        private void endUntil(long millis) {
            while (!running.isEmpty() && running.element().endsMillis <= millis) {
                Running ended = running.remove();
                clock.set(ended.endsMillis);
                ended.decision.reservation().settle(ended.use);
                ended.decision.ended(200);
            }
        }

        private void call() {
            long now = clock.millis();
            if (now / MINUTE.toMillis() > minute) {
                minute = now / MINUTE.toMillis();
                usedInMinute = 0;
            }
            int use = USE / 5 + random.nextInt(USE * 8 / 5);
            Decision decision = limiter.decide(
                    TestCall.get("/a").of("acme").with("Estimate", String.valueOf(Math.round(use * factor))));
            calls++;
            if (decision.admitted()) {
                running.add(new Running(now + Math.round(use * MILLIS_A_TOKEN), use, decision));
                used += use;
                usedInMinute += use;
                mostInMinute = Math.max(mostInMinute, usedInMinute);
            } else if (usedInMinute + use <= BUDGET) {
                refusedThoughFitting++;
            }
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %.0f × | %.1f %% | %.0f %% |",
                    factor,
                    100.0 * refusedThoughFitting / calls,
                    100.0 * used / BUDGET / MINUTES);
        }

        @Override
        public void close() {
            limiter.close();
        }
    }

    private static String played(double factor) {
        try (Scene scene = new Scene(factor)) {
            String row = scene.play().row();
            assertThat(scene.mostInMinute).as("used in a minute").isLessThanOrEqualTo(BUDGET);
            return row;
        }
    }

    @Test
    void saysWhatTooHighAnEstimateCostsOthers() throws IOException {
        assertThat(Files.readAllLines(Path.of("docs", "budgets.md")))
                .containsSubsequence(
                        Stream.of(1.0, 2.0, 5.0).map(BudgetsPageTest::played).toList());
    }
}
