package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.RateLimitListener;
import dev.sluice.ResponseOptions;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.RawHttp;
import dev.sluice.internal.servlet.contract.RawHttp.Answer;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.internal.servlet.tomcat.TomcatServer;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import dev.sluice.tier.Windows.Unit;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The exchanges in {@code docs/headers.md} are real. */
@Tag("server")
@Tag("docs")
class HeadersPageTest {

    private static final Pattern EXCHANGE = Pattern.compile("(?ms)^ *```console\n(.*?)^ *```$");

    private static List<String> exchange(int number) throws Exception {
        return EXCHANGE.matcher(Files.readString(Path.of("docs/headers.md")))
                .results()
                .map((MatchResult match) ->
                        match.group(1).lines().map(String::strip).toList())
                .toList()
                .get(number);
    }

    private static void assertAnswered(List<String> exchange, Answer answer) {
        assertThat(exchange.get(1)).isEqualTo("HTTP/1.1 " + answer.status());
        int end = exchange.contains("") ? exchange.indexOf("") : exchange.size();
        for (String line : exchange.subList(2, end)) {
            String[] parts = line.split(": ", 2);
            assertThat(answer.header(parts[0])).as(parts[0]).isEqualTo(parts[1]);
        }
        assertThat(answer.body()).isEqualTo(String.join("", exchange.subList(end, exchange.size())));
    }

    /** The answer after the given number of calls, three and a half seconds into a window. */
    private static Answer answerAfter(int calls, ResponseOptions.Headers style) throws Exception {
        Limit tenSeconds = new Limit.FixedWindow(1000, Duration.ofSeconds(10));
        Limit month = new Limit.FixedWindow(100_000, Windows.every(Unit.MONTH, ZoneId.of("UTC")));
        Tier[] tiers = style == ResponseOptions.Headers.IETF
                ? new Tier[] {new Tier("10s", tenSeconds), new Tier("month", month)}
                : new Tier[] {new Tier("10s", tenSeconds)};
        Limits styled =
                TestLimits.styled(style, TestLimits.of(TestLimits.endpoint("get-product", "GET /product/*", tiers)));
        try (CountingRateLimiter limiter =
                        new CountingRateLimiter(styled, new TestClock(1_700_000_003_500L), RateLimitListener.NONE);
                WebServer server = TomcatServer.start(Application.at("", (classes, context) -> {
                    context.addFilter("limits", new RateLimitFilter(limiter))
                            .addMappingForUrlPatterns(null, true, "/*");
                    context.addServlet("product", new HttpServlet() {
                                @Override
                                protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
                            })
                            .addMapping("/product/*");
                }))) {
            for (int i = 0; i < calls; i++) {
                RawHttp.send(server, "GET", "/product/7", "X-Org-Id: acme");
            }
            return RawHttp.send(server, "GET", "/product/7", "X-Org-Id: acme");
        }
    }

    @Test
    void theFirstCall() throws Exception {
        assertAnswered(exchange(0), answerAfter(0, ResponseOptions.Headers.X_RATELIMIT));
    }

    @Test
    void theRefusal() throws Exception {
        assertAnswered(exchange(1), answerAfter(1000, ResponseOptions.Headers.X_RATELIMIT));
    }

    @Test
    void theStyleOfTheDraft() throws Exception {
        assertAnswered(exchange(2), answerAfter(0, ResponseOptions.Headers.IETF));
    }
}
