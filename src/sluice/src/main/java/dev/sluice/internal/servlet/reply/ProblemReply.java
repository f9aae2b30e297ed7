package dev.sluice.internal.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.internal.http.response.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes the problem document of a refusal. */
public final class ProblemReply {

    private ProblemReply() {}

    public static void write(HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException {
        send(
                request,
                response,
                Refusal.PROBLEM_JSON,
                LimitHeaders.refusal(response, decision).problem());
    }

    static void send(HttpServletRequest request, HttpServletResponse response, String contentType, String text)
            throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        response.setContentType(contentType);
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }
}
