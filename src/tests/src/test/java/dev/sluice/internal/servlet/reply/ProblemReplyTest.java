package dev.sluice.internal.servlet.reply;

import static dev.sluice.internal.servlet.contract.Decisions.endpoint;
import static dev.sluice.internal.servlet.contract.Decisions.refused;
import static dev.sluice.internal.servlet.contract.Decisions.tier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.internal.servlet.contract.Decisions;
import dev.sluice.servlet.FakeExchange;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class ProblemReplyTest {

    private static FakeExchange reply(String method, Decision decision) throws Exception {
        return reply(method, decision, "7");
    }

    private static FakeExchange reply(String method, Decision decision, String retryAfter) throws Exception {
        FakeExchange exchange = FakeExchange.of(method, "/product/1");
        exchange.status = 429;
        exchange.headers.put("Retry-After", retryAfter);
        ProblemReply.write(exchange.request, exchange.response, decision);
        return exchange;
    }

    @Test
    void tellsTypeTitleStatusDetailAndPolicy() throws Exception {
        FakeExchange exchange = reply("GET", refused(Decisions.PRODUCT, 6_500));
        assertThat(exchange.body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\",\"status\":429,"
                        + "\"detail\":\"Rate limit exceeded; try again in 7 seconds.\","
                        + "\"violated-policies\":[\"get-product\"]}");
        verify(exchange.response).setContentType("application/problem+json");
        verify(exchange.response).setContentLength(exchange.body().length());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1         | 1 second
            120       | 120 seconds
            121       | 3 minutes
            7200      | 120 minutes
            7201      | 3 hours
            13914     | 4 hours
            172800    | 48 hours
            172801    | 3 days""")
    void roundsALongWaitUpToAUnitThatPeopleUse(String seconds, String told) throws Exception {
        assertThat(reply("GET", refused(Decisions.PRODUCT, 6_500), seconds).body())
                .contains("try again in " + told + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Wed, 21 Oct 2026 07:28:00 GMT", "-1", "soon", "99999999999999999999"})
    void saysLaterIfTheApplicationHasPutAnotherFormIntoTheField(String retryAfter) throws Exception {
        assertThat(reply("GET", refused(Decisions.PRODUCT, 6_500), retryAfter).body())
                .contains("try again later.");
    }

    @Test
    void saysThatCapacityIsMissingIfNoLimitIsUsedUp() throws Exception {
        Decision busy = refused(Decisions.PRODUCT, 6_500).withOutcome(Decision.Outcome.REFUSED_BUSY);
        assertThat(reply("GET", busy).body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
                        + "\"title\":\"Request cannot be satisfied due to temporary server capacity constraints\","
                        + "\"status\":429,\"detail\":\"Too many calls are already pending; try again in 7 seconds.\"}");
    }

    @Test
    void saysThatTheCallerIsBlocked() throws Exception {
        Decision blocked = refused(Decisions.PRODUCT, 6_500).withOutcome(Decision.Outcome.REFUSED_BLOCKED);
        assertThat(reply("GET", blocked).body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#abnormal-usage-detected\","
                        + "\"title\":\"Request not satisfied due to detection of abnormal request pattern\",\"status\":429,"
                        + "\"detail\":\"You are blocked because you kept calling after many refusals; try again in 7 seconds.\","
                        + "\"violated-policies\":[\"get-product\"]}");
    }

    @Test
    void namesTheTierIfThereAreSeveral() throws Exception {
        Endpoint endpoint = endpoint(
                "a\"b", Mode.ENFORCE, tier("1s", 5, Duration.ofSeconds(1)), tier("1h", 9, Duration.ofHours(1)));
        JsonNode problem =
                new ObjectMapper().readTree(reply("GET", refused(endpoint, 1)).body());
        assertThat(problem.get("violated-policies").get(0).textValue()).isEqualTo("a\"b-1s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            500 | 480 | Rate limit exceeded: this call needs 500, but only 480 remain; try again in 7 seconds.
            2   | 1   | Rate limit exceeded: this call needs 2, but only 1 remains; try again in 7 seconds.
            500 | 0   | Rate limit exceeded: this call needs 500, but none remain; try again in 7 seconds.
            1   | 0   | Rate limit exceeded; try again in 7 seconds.
            500 | 900 | Rate limit exceeded; try again in 7 seconds.""")
    void saysWhatACostlyCallNeedsAndWhatIsLeft(long cost, long left, String detail) throws Exception {
        FakeExchange exchange = FakeExchange.of("GET", "/product/1");
        exchange.headers.put("Retry-After", "7");
        exchange.headers.put("x-ratelimit-limit", "1000");
        ProblemReply.write(exchange.request, exchange.response, shortOf(Decisions.PRODUCT, cost, left));
        assertThat(exchange.body()).contains("\"detail\":\"" + detail + "\"");
    }

    /** Another limiter has written the headers, or nobody has. */
    @Test
    void keepsTheFiguresOfACostlyCallFromCallersWhoSeeNoLimit() throws Exception {
        Endpoint guard = Decisions.hidden(endpoint("guard", Mode.ENFORCE, tier("1s", 1000, Duration.ofSeconds(1))));
        FakeExchange exchange = FakeExchange.of("GET", "/product/1");
        exchange.headers.put("x-ratelimit-limit", "100");
        ProblemReply.write(exchange.request, exchange.response, shortOf(guard, 500, 480));
        assertThat(exchange.body()).contains("\"detail\":\"Rate limit exceeded; try again later.\"");
        assertThat(reply("GET", shortOf(Decisions.PRODUCT, 500, 480)).body())
                .contains("\"detail\":\"Rate limit exceeded; try again in 7 seconds.\"");
    }

    private static Decision shortOf(Endpoint endpoint, long cost, long left) {
        return Decisions.decision(Decision.Outcome.REFUSED, endpoint, 0, left, 9_000, 6_500)
                .withCost(cost);
    }

    /** Though another limiter has written headers. */
    @Test
    void hidesTheFiguresOfAnEndpointThatShowsNoHeaders() throws Exception {
        FakeExchange exchange = FakeExchange.of("GET", "/product/1");
        exchange.status = 429;
        exchange.headers.put("x-ratelimit-limit", "100");
        Endpoint guard = Decisions.hidden(endpoint("guard", Mode.ENFORCE, tier("1s", 5, Duration.ofSeconds(1))));
        Decision refused = refused(guard, 1);
        ProblemReply.write(exchange.request, exchange.response, refused.withCost(30));
        assertThat(exchange.body())
                .contains("This request costs more than the limit can ever allow at once; retrying it will not help.")
                .contains("\"violated-policies\":[\"guard\"]");
    }

    @Test
    void hasNoBodyForHead() throws Exception {
        FakeExchange exchange = reply("HEAD", refused(Decisions.PRODUCT, 6_500));
        assertThat(exchange.body()).isEmpty();
        verify(exchange.response).setContentType("application/problem+json");
    }
}
