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

@Tag("server")
class ProblemReplyTest {

    private static FakeExchange reply(String method, Decision decision) throws Exception {
        FakeExchange exchange = FakeExchange.of(method, "/product/1");
        exchange.status = 429;
        exchange.headers.put("Retry-After", "7");
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
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\",\"status\":429,"
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
