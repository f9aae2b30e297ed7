package dev.sluice.cli.explain;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A filter that records the response to one call. */
final class AnswerRecorder extends HttpFilter {

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient CompletableFuture<Answer> answer = new CompletableFuture<>();

    /**
     * The response to the caller.
     *
     * @param headers the headers written by the filters behind this one
     */
    record Answer(int status, Map<String, String> headers) {

        /** Whether the headers show a limit, in any header style. */
        boolean showsLimit() {
            return hasHeader("ratelimit") || showsOnlyOneLimit();
        }

        /** Whether the headers use a style that shows only one limit. */
        boolean showsOnlyOneLimit() {
            return hasHeader("x-ratelimit");
        }

        private boolean hasHeader(String beginning) {
            return headers.keySet().stream()
                    .anyMatch(name -> name.toLowerCase(Locale.ROOT).startsWith(beginning));
        }
    }

    AnswerRecorder() {}

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        // The server has already set its own headers, which are unrelated to limits.
        Collection<String> before = response.getHeaderNames();
        chain.doFilter(request, response);
        Map<String, String> written = new LinkedHashMap<>();
        for (String name : response.getHeaderNames()) {
            if (!before.contains(name)) {
                written.put(name, response.getHeader(name));
            }
        }
        answer.complete(new Answer(response.getStatus(), written));
    }

    /** Waits for the response. It is recorded shortly after the caller receives it. */
    Answer answer() {
        return answer.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
