package dev.sluice.internal.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.RefusalBody;
import dev.sluice.internal.http.response.RefusalTemplate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes the body of a refusal from the template in the file of limits. */
public final class TemplateReply {

    private TemplateReply() {}

    public static void write(
            HttpServletRequest request, HttpServletResponse response, Decision decision, RefusalBody body)
            throws IOException {
        String text = RefusalTemplate.filledIn(body, LimitHeaders.refusal(response, decision), request.getRequestURI());
        ProblemReply.send(request, response, body.contentType(), text);
    }
}
