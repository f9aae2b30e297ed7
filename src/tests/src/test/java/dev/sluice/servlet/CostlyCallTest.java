package dev.sluice.servlet;

import static java.util.Collections.enumeration;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.when;

import dev.sluice.RateLimitListener;
import dev.sluice.TestClock;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.open.GivenFile;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call that costs more than can ever pass is not asked to retry. */
@Tag("server")
class CostlyCallTest {

    private static final String FILE = """
        headers: { style: %s }
        reject: { retryAfterJitter: 5s }
        endpoints:
          - { id: a, pathPattern: "/**", cost: "header:X-Cost", tiers: [ %s ] }
        """;

    private static FakeExchange call(String style, String cost, String tiers, int times)
            throws IOException, ServletException {
        GivenFile file = new GivenFile(FILE.formatted(style, tiers));
        FakeExchange exchange = FakeExchange.get("/");
        try (CountingRateLimiter limiter =
                new CountingRateLimiter(file.load().limits(), new TestClock(0), RateLimitListener.NONE)) {
            RateLimitFilter filter = new RateLimitFilter(limiter);
            for (int i = 0; i < times; i++) {
                exchange = FakeExchange.get("/");
                when(exchange.request.getHeader("X-Cost")).thenReturn(cost);
                when(exchange.request.getHeaders("X-Cost")).thenReturn(enumeration(List.of(cost)));
                filter.doFilter(exchange.request, exchange.response, (request, response) -> {});
            }
        }
        return exchange;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fixed-window, threshold: 20, period: 10s | 20",
                "fixed-window, threshold: 20, period: 10s, tolerance: 10% | 22",
                "sliding-window, threshold: 20, period: 10s | 20",
                "sliding-log, threshold: 20, period: 10s | 20",
                "token-bucket, threshold: 1, period: 1s, burst: 20 | 20",
                "leaky-bucket, threshold: 20, period: 1s | 20",
                "leaky-bucket, threshold: 20, period: 1s, queue: 19, maxQueueTime: 10s | 20"
            })
    void isToldThatRepeatingDoesNotHelp(String algorithm, long most) throws Exception {
        String tier = "{ algorithm: " + algorithm + " }";
        FakeExchange refused = call("x-ratelimit", String.valueOf(most + 1), tier, 1);

        assertThat(refused.status).isEqualTo(429);
        assertThat(refused.headers)
                .containsKeys("x-ratelimit-limit", "Cache-Control")
                .doesNotContainKey("Retry-After");
        assertThat(refused.body())
                .contains("\"detail\":\"This request costs " + (most + 1) + ", and the limit allows at most " + most
                        + " at once; retrying it will not help.\"");
        assertThat(call("x-ratelimit", String.valueOf(most), tier, 1).status).isEqualTo(200);
        assertThat(call("x-ratelimit", String.valueOf(most), tier, 9).headers).containsKey("Retry-After");
    }

    /** Each call takes one slot, whatever it costs. */
    @Test
    void takesOneSlotInALimitOnCallsInFlight() throws Exception {
        assertThat(call("x-ratelimit", "30", "{ algorithm: concurrency, threshold: 20 }", 1).status)
                .isEqualTo(200);
    }

    /** This holds even if another tier refuses for a longer time. */
    @Test
    void isRefusedByTheTierThatItCanNeverPass() throws Exception {
        FakeExchange refused = call("ietf", "30", "{ period: 1h, threshold: 31 }, { period: 1s, threshold: 20 }", 1);

        assertThat(refused.headers).doesNotContainKey("Retry-After");
        assertThat(refused.body()).contains("costs 30, and the limit allows at most 20 at once");
        assertThat(call("ietf", "30", "{ period: 1h, threshold: 20 }, { period: 1s, threshold: 60 }", 1)
                        .body())
                .contains("costs 30, and the limit allows at most 20 at once");
    }

    @Test
    void hidesFiguresIfHeadersAreHidden() throws Exception {
        FakeExchange refused = call("none", "30", "{ period: 1h, threshold: 20 }", 1);

        assertThat(refused.headers).containsOnlyKeys("Cache-Control", "Vary");
        assertThat(refused.body())
                .contains("This request costs more than the limit can ever allow at once; retrying it will not help.")
                .doesNotContain("20", "30");
    }
}
