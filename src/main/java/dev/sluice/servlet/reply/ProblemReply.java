package dev.sluice.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Tier;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The problem document of a refusal, of the type {@code draft-ietf-httpapi-ratelimit-headers} registers. It holds
 * nothing that the caller sent and nothing about anybody else, and no figures: who is not shown headers is not shown
 * limits here.
 */
public final class ProblemReply {

    private static final String TYPE = "https://iana.org/assignments/http-problem-types#quota-exceeded";
    private static final String TITLE = "Request cannot be satisfied as assigned quota has been exceeded";

    private ProblemReply() {}

    public static void write(HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException {
        byte[] body = body(response, decision).getBytes(StandardCharsets.UTF_8);
        response.setContentType("application/problem+json");
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }

    private static String body(HttpServletResponse response, Decision decision) {
        return "{\"type\":\"" + TYPE + "\",\"title\":\"" + TITLE + "\",\"status\":" + response.getStatus()
                + ",\"detail\":\"" + detail(response) + "\",\"violated-policies\":[" + policies(decision) + "]}";
    }

    private static String detail(HttpServletResponse response) {
        String seconds = response.getHeader(LimitHeaders.RETRY_AFTER);
        String wait = seconds == null ? "later" : "in " + seconds + (seconds.equals("1") ? " second" : " seconds");
        return "No more of these calls can be let through for now; try again " + wait + ".";
    }

    private static String policies(Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Tier tier = decision.tier();
        return endpoint == null || tier == null ? "" : PolicyName.quoted(endpoint, tier);
    }
}
