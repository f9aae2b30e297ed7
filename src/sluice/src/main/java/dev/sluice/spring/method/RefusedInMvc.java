package dev.sluice.spring.method;

import dev.sluice.Decision;
import dev.sluice.RateLimitedException;
import dev.sluice.http.Answers;
import dev.sluice.http.Answers.Answer;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.http.response.RefusalFinder;
import dev.sluice.servlet.RefusalHandler;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Responds to a request with status 429 if a method call was refused and no handler of the application has handled the
 * exception.
 *
 * @param refusals writes the body; {@code null} to respond as the file specifies
 */
record RefusedInMvc(Answers answers, @Nullable RefusalHandler refusals) implements HandlerExceptionResolver, Ordered {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedInMvc.class);
    private static final FaultLog FAULTS = new FaultLog(LOG, Level.ERROR);
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String VARY = "Vary";

    /**
     * Returns an order that places this resolver after Spring's own resolvers, because those call the application's
     * handlers.
     */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception thrown) {
        RateLimitedException refused = RefusalFinder.in(thrown);
        if (refused == null || response.isCommitted()) {
            return null;
        }
        Decision decision = refused.decision();
        Answer answer = answers.to(
                decision, request.getRequestURI(), String.join(",", Collections.list(request.getHeaders("Accept"))));
        try {
            writeHead(response, answer);
            if (refusals == null) {
                write(response, answer);
            } else if (!hasRefused(refusals, request, response, decision)) {
                response.reset();
                writeHead(response, answer);
                write(response, answer);
            }
        } catch (IOException e) {
            LOG.debug("Could not respond to a refused call; usually its caller has disconnected", e);
        }
        return new ModelAndView();
    }

    private static void writeHead(HttpServletResponse response, Answer answer) {
        response.setStatus(answer.status());
        answer.fields().forEach((name, value) -> {
            if (!name.equals(CONTENT_TYPE) && !name.equals(VARY)) { // these headers describe the body
                response.setHeader(name, value);
            }
        });
    }

    private static boolean hasRefused(
            RefusalHandler refusals, HttpServletRequest request, HttpServletResponse response, Decision decision)
            throws IOException {
        try {
            refusals.refuse(request, response, decision);
            return true;
        } catch (ServletException | RuntimeException e) {
            FAULTS.report("The RefusalHandler failed; refusing such calls as the file specifies.", e);
            return response.isCommitted();
        }
    }

    private static void write(HttpServletResponse response, Answer answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        response.setContentType(answer.fields().get(CONTENT_TYPE));
        String vary = answer.fields().get(VARY);
        if (vary != null) {
            response.addHeader(VARY, vary);
        }
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
