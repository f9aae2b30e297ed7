package dev.sluice.servlet;

import dev.sluice.Decision;
import dev.sluice.servlet.reply.ProblemReply;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Tells a caller that its call is refused. The response already carries the status, {@code Retry-After} (unless no retry
 * ever passes), {@code Cache-Control} and the limit's headers, so that an answer of your own only adds its body. Called by
 * many threads.
 */
@FunctionalInterface
public interface RefusalHandler {

    /** Answers with a problem document (RFC 9457) that names the policy and the seconds to wait. */
    RefusalHandler PROBLEM_JSON = ProblemReply::write;

    /**
     * Completes the response to a refused call. If this throws anything but an {@link IOException}, which passes on to
     * the container, the fault is logged and {@link #PROBLEM_JSON} answers instead.
     */
    void refuse(HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException, ServletException;
}
