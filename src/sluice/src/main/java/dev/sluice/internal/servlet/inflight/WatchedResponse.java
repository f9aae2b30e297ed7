package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The response of a call with a ticket, as seen by the code behind the filter. It notifies the call when a write fails,
 * and records whether an error was sent. Not thread-safe, like any response.
 */
final class WatchedResponse extends HttpServletResponseWrapper {

    private final WatchedCall call;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;
    private volatile boolean hasSentError;

    WatchedResponse(HttpServletResponse response, WatchedCall call) {
        super(response);
        this.call = call;
    }

    boolean hasSentError() {
        return hasSentError;
    }

    @Override
    public void sendError(int status) throws IOException {
        super.sendError(status);
        hasSentError = true;
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        super.sendError(status, message);
        hasSentError = true;
    }

    @Override
    public void flushBuffer() throws IOException {
        watch(super::flushBuffer);
    }

    @Override
    public void reset() {
        super.reset();
        stream = null; // after a reset, the container can create a new stream or writer with a different encoding
        writer = null;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream watched = stream;
        if (watched == null) {
            watched = new WatchedStream(super.getOutputStream());
            stream = watched;
        }
        return watched;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        PrintWriter watched = writer;
        if (watched == null) {
            watched = new WatchedWriter(super.getWriter());
            writer = watched;
        }
        return watched;
    }

    private void watch(Write write) throws IOException {
        try {
            write.run();
            call.showsLife();
        } catch (IOException e) {
            call.failedToWrite(e);
            throw e;
        }
    }

    @FunctionalInterface
    private interface Write {
        void run() throws IOException;
    }

    private final class WatchedStream extends ServletOutputStream {

        private final ServletOutputStream container;

        WatchedStream(ServletOutputStream container) {
            this.container = container;
        }

        @Override
        public void write(int oneByte) throws IOException {
            watch(() -> container.write(oneByte));
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            watch(() -> container.write(bytes, from, length));
        }

        /** Overrides a method in Servlet 6.1, although this code is compiled against an older version. */
        @SuppressWarnings({"EffectivelyPrivate", "UnusedMethod"}) // called through Servlet 6.1
        public void write(ByteBuffer buffer) throws IOException {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
            write(bytes, 0, bytes.length);
        }

        @Override
        public void flush() throws IOException {
            watch(container::flush);
        }

        @Override
        public void close() throws IOException {
            watch(container::close);
        }

        @Override
        public boolean isReady() {
            return container.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            container.setWriteListener(listener);
        }
    }

    /**
     * Writes through the container's writer. Because that writer swallows failures, this class calls {@code checkError}
     * after each flush.
     */
    private final class WatchedWriter extends PrintWriter {

        private final PrintWriter container;

        WatchedWriter(PrintWriter container) {
            super(container);
            this.container = container;
        }

        /** Ends a line in the same way as the container's writer. */
        @Override
        public void println() {
            container.println();
        }

        @Override
        public void flush() {
            container.flush();
            if (call.isAsync()) {
                checkError();
            }
        }

        @Override
        public boolean checkError() {
            boolean failed = container.checkError();
            if (failed) {
                call.failedToWrite(new IOException("the container's writer has failed"));
            } else {
                call.showsLife();
            }
            return failed;
        }
    }
}
