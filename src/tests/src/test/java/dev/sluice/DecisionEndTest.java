package dev.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.Decision.Outcome;
import dev.sluice.internal.servlet.contract.TicketFake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Code uses a decision to tell the caller when to retry, and to report the end of the call. */
@Tag("docs")
class DecisionEndTest {

    @Test
    void theEndReachesTheTicket() throws InterruptedException {
        TicketFake limiter = TicketFake.atOnce();
        limiter.decide(TestCall.get("/product/1")).ended(404);
        assertThat(limiter.nextEnd()).isEqualTo(404);
    }

    @Test
    void theEndIsReportedEvenIfNobodyNeedsIt() {
        assertThatCode(() -> Decision.UNLIMITED.ended(200)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "999, 1", "1000, 1", "1001, 2", "6500, 7"})
    void aRefusedCallerWaitsWholeSecondsRoundedUp(long millis, long seconds) {
        Decision refused = Decision.UNLIMITED.withOutcome(Outcome.REFUSED).withRetryAfter(millis);
        assertThat(refused.retryAfterSeconds()).isEqualTo(seconds);
        assertThat(new RateLimitedException(refused)).hasMessageEndingWith("try again in " + seconds + " s");
    }

    @Test
    void anAdmittedCallerNeedNotWait() {
        assertThat(Decision.UNLIMITED.retryAfterSeconds()).isZero();
    }

    /** A call that is never ended keeps its slot under a limit on calls in flight. */
    @Test
    void examplesWaitForTheTurnAndReportTheEnd() throws IOException {
        List<String> examples = examplesThatDecide();
        assertThat(examples)
                .hasSizeGreaterThanOrEqualTo(5)
                .allSatisfy(example -> assertThat(example).contains(").inTurn()", "finally", "decision.ended(status)"));
    }

    /** The examples in Javadoc and docs that ask a limiter about a call, and serve it themselves. */
    private static List<String> examplesThatDecide() throws IOException {
        try (Stream<Path> main = Files.walk(Path.of("src/sluice/src/main/java"));
                Stream<Path> docs = Files.walk(Path.of("docs"))) {
            Pattern block = Pattern.compile("<pre>\\{@code.*?}</pre>|```java.*?```", Pattern.DOTALL);
            return Stream.concat(main, docs)
                    .filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".md"))
                    .flatMap(file -> block.matcher(text(file)).results().map(MatchResult::group))
                    .filter(example -> example.contains("Decision decision = limiter.decide("))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
