package dev.sluice.snippets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.GivenSubjects;
import dev.sluice.RateLimitListener;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.open.GivenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code docs/outgoing-calls.md} says of its limit is true. */
@Tag("docs")
class OutgoingCallsPageTest {

    @Test
    void callsGoOutTenMillisecondsApartUntilTheQueueIsFull() throws Exception {
        String file = Snippet.in("yaml").stream()
                .filter(snippet -> snippet.isOf("outgoing-calls.md"))
                .findFirst()
                .orElseThrow()
                .text();
        String inMemory = file.substring(file.indexOf("pendingCalls:"));
        List<Long> delays = new ArrayList<>();
        try (CountingRateLimiter limiter = new CountingRateLimiter(
                GivenFile.of(inMemory).load().limits(), new TestClock(1_700_000_003_500L), RateLimitListener.NONE)) {
            Decision decision = limiter.decideOn("partner", new GivenSubjects(Map.of()));
            while (decision.admitted()) {
                delays.add(decision.ticket().delayMillis());
                decision = limiter.decideOn("partner", new GivenSubjects(Map.of()));
            }
        }
        assertThat(delays)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(0, 200).map(i -> i * 10).boxed().toList());
    }
}
