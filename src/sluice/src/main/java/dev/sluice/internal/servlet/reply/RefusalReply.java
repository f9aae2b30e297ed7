package dev.sluice.internal.servlet.reply;

import dev.sluice.Decision;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.http.response.RefusalContent;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;

/** Writes the body of a refusal as defined in the limits file, in the media type that the caller prefers. */
public final class RefusalReply {

    private RefusalReply() {}

    public static void write(
            HttpServletRequest request, HttpServletResponse response, Decision decision, ResponseOptions options)
            throws IOException {
        RefusalContent content = RefusalContent.of(
                options,
                LimitHeaders.refusal(response, decision),
                request.getRequestURI(),
                String.join(",", Collections.list(request.getHeaders("Accept"))));
        if (content.variesByAccept()) {
            response.addHeader("Vary", "Accept");
        }
        ProblemReply.send(request, response, content.contentType(), content.text());
    }
}
