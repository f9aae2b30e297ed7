package dev.sluice.cli.sandbox;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The sandbox application. It responds to each call as the query requests. A delayed response does not block a thread.
 */
public final class SandboxServlet extends HttpServlet {

    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public void service(ServletRequest request, ServletResponse response) throws IOException {
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        try {
            RequestedAnswer requested = RequestedAnswer.of(asked.getQueryString());
            String text = requested.status() + " " + asked.getMethod() + " " + asked.getRequestURI() + "\n";
            if (requested.delayMillis() == 0) {
                write(answer, requested.status(), text);
            } else {
                writeLater(request.startAsync(), requested, text);
            }
        } catch (IllegalArgumentException e) {
            write(answer, HttpServletResponse.SC_BAD_REQUEST, e.getMessage() + "\n");
        }
    }

    private void writeLater(AsyncContext async, RequestedAnswer requested, String text) {
        // By default, the container would respond with an error after 30 seconds, but delays can be longer.
        async.setTimeout(0);
        HttpServletResponse answer = (HttpServletResponse) async.getResponse();
        CompletableFuture.delayedExecutor(requested.delayMillis(), TimeUnit.MILLISECONDS, async::start)
                .execute(() -> {
                    try {
                        write(answer, requested.status(), text);
                    } catch (IOException e) {
                        // The caller has disconnected, and nobody else is interested in the response.
                    } finally {
                        async.complete();
                    }
                });
    }

    private static void write(HttpServletResponse answer, int status, String text) throws IOException {
        answer.setStatus(status);
        if (status == 204 || status == 205 || status == 304) {
            return;
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        answer.setContentType("text/plain; charset=utf-8");
        answer.setContentLength(body.length);
        answer.getOutputStream().write(body);
    }
}
