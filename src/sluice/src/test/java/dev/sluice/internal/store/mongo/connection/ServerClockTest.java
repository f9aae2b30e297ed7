package dev.sluice.internal.store.mongo.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What time it is at the server, as its answers tell. */
class ServerClockTest {

    private static final long MILLI = 1_000_000;

    private final AtomicLong nanos = new AtomicLong(77);
    private final ServerClock clock = new ServerClock(nanos::get);

    /** The server says the time, and the answer takes so long. */
    private void hear(long serverMillis, long tookMillis) {
        long sent = nanos.getAndAdd(tookMillis * MILLI);
        clock.measured(serverMillis, sent);
    }

    private void pass(long millis) {
        nanos.addAndGet(millis * MILLI);
    }

    @Test
    void goesOnBetweenAnswers() {
        assertThat(clock.isDue()).isTrue();
        hear(5_000, 0);
        assertThat(clock.millis()).isEqualTo(5_000);
        pass(1_500);
        assertThat(clock.millis()).isEqualTo(6_500);
        assertThat(clock.isDue()).isFalse();
        pass(1_000);
        assertThat(clock.isDue()).isTrue();
    }

    @Test
    void takesTheMiddleOfQuestionAndAnswer() {
        hear(5_000, 100);
        assertThat(clock.millis()).isEqualTo(5_050);
    }

    @Test
    void believesTheQuickerAnswer() {
        hear(5_000, 2);
        pass(999);
        hear(6_100, 400); // may as well have been 6,001 when the question was sent
        assertThat(clock.millis()).isBetween(6_400L, 6_401L);
    }

    @Test
    void followsAnotherServerWithAnotherClock() {
        hear(5_000, 2);
        pass(998);
        hear(90_000, 2);
        assertThat(clock.millis()).isBetween(90_000L, 90_002L);
        pass(1_000);
        hear(7_000, 2);
        assertThat(clock.millis()).isBetween(7_000L, 7_002L);
    }

    @Test
    void isAskedAgainWhereSomethingFailed() {
        hear(5_000, 2);
        clock.discard();
        assertThat(clock.isDue()).isTrue();
    }
}
