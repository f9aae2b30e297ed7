package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call with a ticket, as seen by the code behind the filter. It notifies the call when processing
 * becomes asynchronous, and when a read fails. Not thread-safe, like any request.
 */
final class WatchedRequest extends HttpServletRequestWrapper {

    /** The buffer size of the reader. It is small because the container's reader has its own buffer. */
    private static final int FEW_CHARACTERS = 512;

    private final WatchedCall call;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;

    WatchedRequest(HttpServletRequest request, WatchedCall call) {
        super(request);
        this.call = call;
    }

    @Override
    public AsyncContext startAsync() {
        return call.begunAsync(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return call.begunAsync(super.startAsync(request, response));
    }

    /** Returns {@code REQUEST} when a parked call continues, because many filters skip async dispatches. */
    @Override
    public DispatcherType getDispatcherType() {
        DispatcherType type = super.getDispatcherType();
        return type == DispatcherType.ASYNC && call.isResumed() ? DispatcherType.REQUEST : type;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        ServletInputStream watched = stream;
        if (watched == null) {
            watched = new WatchedStream(super.getInputStream());
            stream = watched;
        }
        return watched;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        BufferedReader watched = reader;
        if (watched == null) {
            watched = new BufferedReader(new WatchedText(super.getReader()), FEW_CHARACTERS);
            reader = watched;
        }
        return watched;
    }

    private int watch(Read read) throws IOException {
        try {
            int result = read.run();
            call.showsLife();
            return result;
        } catch (IOException | RuntimeException e) { // RuntimeException: Undertow can close its reader during a read
            call.failedToRead();
            throw e;
        }
    }

    @FunctionalInterface
    private interface Read {
        int run() throws IOException;
    }

    private final class WatchedStream extends ServletInputStream {

        private final ServletInputStream container;

        WatchedStream(ServletInputStream container) {
            this.container = container;
        }

        @Override
        public int read() throws IOException {
            return watch(container::read);
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            return watch(() -> container.read(bytes, from, length));
        }

        @Override
        public int available() throws IOException {
            return container.available();
        }

        @Override
        public void close() throws IOException {
            container.close();
        }

        @Override
        public boolean isFinished() {
            return container.isFinished();
        }

        @Override
        public boolean isReady() {
            return container.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            container.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    listener.onDataAvailable();
                }

                @Override
                public void onAllDataRead() throws IOException {
                    listener.onAllDataRead();
                }

                @Override
                public void onError(Throwable fault) {
                    call.failedToRead();
                    listener.onError(fault);
                }
            });
        }
    }

    private final class WatchedText extends Reader {

        private final Reader container;

        WatchedText(Reader container) {
            this.container = container;
        }

        @Override
        public int read(char[] characters, int from, int length) throws IOException {
            return watch(() -> container.read(characters, from, length));
        }

        @Override
        public boolean ready() throws IOException {
            return container.ready();
        }

        @Override
        public void close() throws IOException {
            container.close();
        }
    }
}
