package dev.sluice.servlet;

import dev.sluice.Decision;
import dev.sluice.internal.servlet.reply.ProblemReply;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Writes the body of a refusal. The response already has the status, {@code Retry-After} (unless no retry ever passes),
 * {@code Cache-Control} and the limit's headers. Called by many threads.
 */
@FunctionalInterface
public interface RefusalHandler {

    /** Answers with a problem document (RFC 9457) that names the policy and the seconds to wait. */
    RefusalHandler PROBLEM_JSON = ProblemReply::write;

    /**
     * Completes the response to a refused call. An {@link IOException} goes on to the container; anything else that this
     * throws is logged, and {@link #PROBLEM_JSON} answers instead.
     */
    void refuse(HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException, ServletException;
}
