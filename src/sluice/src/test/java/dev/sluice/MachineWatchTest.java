package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

class MachineWatchTest {

    private static final Duration EVERY = Duration.ofMillis(5);

    private final HandSetTime time = new HandSetTime();
    private final MachineWatch watch = new MachineWatch(time);

    /** Time that passes while a thread sleeps, and when a test says so. */
    private static final class HandSetTime implements MachineWatch.Time {

        private long millis = 1_000;
        private long lateMillis;

        @Override
        public long nanos() {
            return millis * 1_000_000;
        }

        @Override
        public void sleep(long nanos) {
            millis += nanos / 1_000_000 + lateMillis;
            lateMillis = 0;
        }
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            watch.lookOnce("this process", EVERY, () -> {});
        }
    }

    /** The thread that watches wakes so much later than it should. */
    private void wakesLate(long millis) {
        time.lateMillis = millis;
        looks(1);
    }

    @Nested
    class Pauses {

        @Test
        void aMachineThatRunsMakesNone() {
            looks(100);
            assertThat(watch.longestPause()).isZero();
            assertThat(watch.standstill(Duration.ZERO, 0, time.nanos())).isEmpty();
        }

        @Test
        void theGrainOfTimersIsNone() {
            wakesLate(9);
            assertThat(watch.longestPause()).isZero();
        }

        @Test
        void aThreadThatWakesLateShowsOne() {
            looks(10);
            wakesLate(300);
            wakesLate(250);
            looks(10);
            assertThat(watch.longestPause()).isEqualTo(Duration.ofMillis(300));
            assertThat(watch.standstill(MachineWatch.HARMLESS, 0, time.nanos()))
                    .contains("this process stood still for 300 ms");
        }

        @Test
        void aHarmlessOneIsNoReason() {
            wakesLate(200);
            assertThat(watch.standstill(MachineWatch.HARMLESS, 0, time.nanos())).isEmpty();
        }

        @Test
        void aLateAnswerShowsThatAnotherProcessStoodStill() {
            watch.lookOnce("Redis", Duration.ofMillis(100), () -> time.millis += 400);
            assertThat(watch.standstill(MachineWatch.HARMLESS, 0, time.nanos()))
                    .contains("Redis stood still for 400 ms");
        }

        @Test
        void oneBeforeOrAfterAGameIsNoReason() {
            wakesLate(500);
            long began = time.nanos();
            looks(10);
            long ended = time.nanos();
            wakesLate(500);
            assertThat(watch.standstill(MachineWatch.HARMLESS, began, ended)).isEmpty();
        }

        @Test
        void onlyTheTimeThatTheMachineRanCounts() {
            long began = time.nanos();
            looks(10);
            wakesLate(500);
            wakesLate(700);
            assertThat(Duration.ofNanos(watch.ranNanos(began))).isEqualTo(EVERY.multipliedBy(12));
        }

        @Test
        void aWatchOfTheRealMachineNoticesAProbeThatIsLate() {
            try (MachineWatch real = new MachineWatch()) {
                long began = System.nanoTime();
                real.watch("a server", EVERY, () -> Eventually.pause(30));
                Eventually.await("a pause", () -> real.longestPause().toMillis() >= 20);
                assertThat(real.standstill(Duration.ofMillis(10), began, System.nanoTime()))
                        .isPresent();
            }
        }
    }

    @Nested
    class PlayedAgain {

        private final AtomicInteger games = new AtomicInteger();
        private final List<String> output = new ArrayList<>();

        private void play(MachineWatch.Game game) throws Exception {
            MachineWatch.playAgain(
                    MachineWatch.HARMLESS,
                    watched -> {
                        games.incrementAndGet();
                        game.play(watched);
                    },
                    () -> watch,
                    output::add);
        }

        @Test
        void aGameThatSucceedsIsPlayedOnceHoweverLateTheMachineIs() throws Exception {
            play(watched -> wakesLate(5_000));
            assertThat(games).hasValue(1);
            assertThat(output).isEmpty();
        }

        @Test
        void aGameThatFailsOnAMachineThatRunsFailsAtOnce() {
            assertThatThrownBy(() -> play(watched -> {
                        wakesLate(200);
                        throw new AssertionError("3 refused early");
                    }))
                    .hasMessage("3 refused early");
            assertThat(games).hasValue(1);
            assertThat(output).isEmpty();
        }

        @Test
        void aGameThatFailsBesideAPauseIsPlayedAgainAndTheOutputSaysWhy() throws Exception {
            play(watched -> {
                if (games.get() == 1) {
                    wakesLate(1_234);
                    throw new AssertionError("3 refused early");
                }
            });
            assertThat(games).hasValue(2);
            assertThat(output)
                    .containsExactly("Game 1 of at most 4 proves nothing, since this process stood still for 1234 ms; "
                            + "it is played again. What failed: java.lang.AssertionError: 3 refused early");
        }

        @Test
        void aPauseOfAnEarlierGameIsNoReasonForALaterOne() {
            assertThatThrownBy(() -> play(watched -> {
                        if (games.get() == 1) {
                            wakesLate(1_000);
                        }
                        throw new AssertionError("game " + games);
                    }))
                    .hasMessage("game 2");
        }

        @Test
        void aGameThatNeverSucceedsFails() {
            assertThatThrownBy(() -> play(watched -> {
                        wakesLate(1_000);
                        throw new IllegalStateException("game " + games);
                    }))
                    .hasMessage("game 4");
            assertThat(output).hasSize(3);
        }

        @Test
        void aSkippedGameIsSkipped() {
            assertThatThrownBy(() -> play(watched -> {
                        wakesLate(1_000);
                        throw new TestAbortedException("no browser");
                    }))
                    .isInstanceOf(TestAbortedException.class);
            assertThat(games).hasValue(1);
        }
    }
}
