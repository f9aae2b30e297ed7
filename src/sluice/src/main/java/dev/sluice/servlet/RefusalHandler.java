package dev.sluice.servlet;

import dev.sluice.Decision;
import dev.sluice.internal.servlet.reply.ProblemReply;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Writes the body of the response to a refused call, for example an HTML page. The response already has the status,
 * {@code Retry-After} (unless no retry can ever pass), {@code Cache-Control: no-store} and the limit's headers.
 *
 * <pre>{@code
 * RefusalHandler html = (request, response, decision) -> {
 *     response.setContentType("text/html;charset=UTF-8");
 *     response.getWriter().write("<p>Too many requests. Try again in a minute.");
 * };
 * new RateLimitFilter(limiter, html);
 * }</pre>
 *
 * <p>Implementations must be thread-safe. Arguments are never {@code null}.
 */
@FunctionalInterface
public interface RefusalHandler {

    /** Writes a problem document (RFC 9457) that names the limit and the number of seconds to wait. */
    RefusalHandler PROBLEM_JSON = ProblemReply::write;

    /**
     * Completes the response to a refused call.
     *
     * @param decision why the call was refused
     * @throws IOException if the caller cannot be reached. The container handles this exception
     * @throws ServletException if the handler fails. The filter logs this exception, like any runtime exception or
     *     error, and {@link #PROBLEM_JSON} writes the response instead
     */
    void refuse(HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException, ServletException;
}
