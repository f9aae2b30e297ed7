package dev.sluice.page;

import dev.sluice.internal.page.EventReader;
import dev.sluice.internal.page.PageAnswer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Streams events to a reader through a servlet container. It writes only after the container has reported that a write
 * will not block. Thread-safe, because the {@link Feed} guards the writes.
 */
final class ServletEvents implements EventReader, WriteListener, AsyncListener {

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final PageAnswer answer;
    private @Nullable AsyncContext async;
    private @Nullable ServletOutputStream out;
    private @Nullable Feed stream;
    /** Whether the container has reported that it can write. Before that, {@code isReady} must not be called. */
    private volatile boolean canWrite;

    ServletEvents(HttpServletRequest request, HttpServletResponse response, PageAnswer answer) {
        this.request = request;
        this.response = response;
        this.answer = answer;
    }

    static void writeHead(PageAnswer answer, HttpServletResponse response) {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
    }

    @Override
    public void begin(Feed events) throws IOException {
        stream = events;
        writeHead(answer, response);
        AsyncContext begun = request.startAsync(request, response);
        begun.setTimeout(0);
        begun.addListener(this);
        async = begun;
        ServletOutputStream output = response.getOutputStream();
        out = output;
        output.setWriteListener(this);
    }

    @Override
    public boolean take(byte[] event) throws IOException {
        ServletOutputStream output = out;
        if (!canWrite || output == null || !output.isReady()) {
            return false;
        }
        output.write(event);
        if (output.isReady()) {
            output.flush();
        }
        return true;
    }

    @Override
    public void end() {
        AsyncContext begun = async;
        if (begun != null) {
            try {
                begun.complete();
            } catch (IllegalStateException e) {
                // the container has already ended the request
            }
        }
    }

    @Override
    public void onWritePossible() {
        canWrite = true;
        if (stream != null) {
            stream.write();
        }
    }

    private void endStream() {
        if (stream != null) {
            stream.end();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        endStream();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        endStream();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        endStream();
    }

    @Override
    public void onError(AsyncEvent event) {
        endStream();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
