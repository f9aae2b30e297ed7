package dev.sluice.page;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One who listens to events. What cannot be taken at once is kept, one event at most; who misses one is told all at the
 * next. Ends by itself after some minutes, so that whoever listens on has to be admitted again. Guarded by {@code this}.
 */
final class LiveStream implements WriteListener, AsyncListener {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Consumer<LiveStream> ended;
    private final long began = System.nanoTime();
    private byte @Nullable [] next;
    private boolean behind;
    private boolean over;

    LiveStream(AsyncContext async, Consumer<LiveStream> ended) throws IOException {
        this.async = async;
        this.ended = ended;
        this.out = async.getResponse().getOutputStream();
        async.setTimeout(0);
        async.addListener(this);
    }

    synchronized void begin(byte[] first) {
        next = first;
        out.setWriteListener(this);
    }

    /** Hands on what is new, or everything to who has missed something; makes neither if there is no need. */
    synchronized void offer(Supplier<byte[]> changes, Supplier<byte[]> everything) {
        if (System.nanoTime() - began > LONGEST_NANOS) {
            end();
        } else if (next != null) {
            behind = true;
            write();
        } else {
            next = behind ? everything.get() : changes.get();
            behind = false;
            write();
        }
    }

    @Override
    public void onWritePossible() {
        write();
    }

    private synchronized void write() {
        try {
            byte[] event = next;
            if (!over && event != null && out.isReady()) {
                next = null;
                out.write(event);
                if (out.isReady()) {
                    out.flush();
                }
            }
        } catch (IOException | RuntimeException e) {
            end();
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Ends the answer. The second time nothing happens. */
    synchronized void end() {
        if (!over) {
            over = true;
            ended.accept(this);
            try {
                async.complete();
            } catch (IllegalStateException e) {
                // the container has ended it already
            }
        }
    }

    @Override
    public void onError(Throwable thrown) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        end();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    @Override
    public void onError(AsyncEvent event) {
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
