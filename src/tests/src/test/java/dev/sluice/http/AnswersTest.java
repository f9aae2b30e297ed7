package dev.sluice.http;

import static dev.sluice.internal.servlet.contract.Decisions.PRODUCT;
import static dev.sluice.internal.servlet.contract.Decisions.admitted;
import static dev.sluice.internal.servlet.contract.Decisions.hidden;
import static dev.sluice.internal.servlet.contract.Decisions.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.ResponseOptions;
import dev.sluice.TestClock;
import dev.sluice.open.GivenFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswersTest {

    private static final Map<String, String> NOTHING_LEFT =
            Map.of("x-ratelimit-limit", "1000", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "7");

    private static Answers.Answer answer(String yaml, Decision decision) throws Exception {
        ResponseOptions options = GivenFile.with(yaml).load().limits().responses();
        RateLimiter limiter = new RateLimiter() {

            @Override
            public Decision decide(Call call) {
                return decision;
            }

            @Override
            public ResponseOptions responses() {
                return options;
            }
        };
        return new Answers(limiter, new TestClock(1_000_000)).to(decision, "/product/1");
    }

    @Test
    void anAdmittedCallerReadsWhatIsLeft() throws Exception {
        assertThat(answer("", admitted(PRODUCT, 12, 6_500)))
                .isEqualTo(new Answers.Answer(
                        Map.of("x-ratelimit-limit", "1000", "x-ratelimit-remaining", "12", "x-ratelimit-reset", "7"),
                        0,
                        ""));
    }

    @Test
    void aRefusedCallerReadsWhenToRetry() throws Exception {
        Answers.Answer refusal = answer("", refused(PRODUCT, 6_500));
        assertThat(refusal.status()).isEqualTo(429);
        assertThat(refusal.body()).contains("try again in 7 seconds", "\"violated-policies\":[\"get-product\"]");
        assertThat(refusal.fields())
                .containsAllEntriesOf(NOTHING_LEFT)
                .containsEntry("Retry-After", "7")
                .containsEntry("Cache-Control", "no-store")
                .containsEntry("Content-Type", "application/problem+json")
                .containsEntry("Vary", "Accept")
                .hasSize(7);
    }

    @Test
    void aRefusedBrowserReadsAPage() throws Exception {
        RateLimiter limiter = call -> refused(PRODUCT, 6_500);
        Answers.Answer refusal = new Answers(limiter, new TestClock(1_000_000))
                .to(refused(PRODUCT, 6_500), "/product/1", "text/html,*/*;q=0.8");
        assertThat(refusal.status()).isEqualTo(429);
        assertThat(refusal.fields())
                .containsEntry("Content-Type", "text/html;charset=utf-8")
                .containsEntry("Vary", "Accept")
                .containsEntry("Retry-After", "7");
        assertThat(refusal.body()).startsWith("<!DOCTYPE html>").contains("try again in 7 seconds");
    }

    @Test
    void theFileChoosesTheHeaders() throws Exception {
        Answers.Answer refusal = answer(
                "headers: { style: ietf }\n"
                        + "reject: { status: 420, contentType: text/plain, body: '{path} {retryAfter}' }",
                refused(PRODUCT, 6_500));
        assertThat(refusal.status()).isEqualTo(420);
        assertThat(refusal.body()).isEqualTo("/product/1 7");
        assertThat(refusal.fields())
                .containsEntry("RateLimit", "\"get-product\";r=0;t=7")
                .containsEntry("Content-Type", "text/plain;charset=utf-8")
                .doesNotContainKey("x-ratelimit-limit");
    }

    @Test
    void tooManyPendingCallsMayHaveAnotherStatus() throws Exception {
        Decision busy = refused(PRODUCT, 0).withOutcome(Decision.Outcome.REFUSED_BUSY);
        Answers.Answer refusal = answer("reject: { statusIfBusy: 503 }", busy);
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(refusal.fields()).containsEntry("Retry-After", "1");
    }

    @Test
    void aResetMayBeATimestamp() throws Exception {
        assertThat(answer("headers: { reset: epoch }", admitted(PRODUCT, 12, 6_500))
                        .fields())
                .containsEntry("x-ratelimit-reset", "1007");
    }

    @Test
    void callersReadNothingOfAHiddenLimitOrIfNoneApplies() throws Exception {
        assertThat(answer("", admitted(hidden(PRODUCT), 12, 6_500)).fields()).isEmpty();
        assertThat(answer("", Decision.UNLIMITED)).isEqualTo(new Answers.Answer(Map.of(), 0, ""));
    }
}
