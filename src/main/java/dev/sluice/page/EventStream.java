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
 * The stream of events to one reader of the page. An event that cannot be written at once waits, one at most; a reader
 * that misses one gets all data with the next. Ends after five minutes, so that a reader has to be authorized again.
 * Guarded by {@code this}.
 */
final class EventStream implements WriteListener, AsyncListener {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Consumer<EventStream> ended;
    private final long began = System.nanoTime();
    private byte @Nullable [] next;
    private boolean begun;
    /** Whether the reader has missed an event. */
    private boolean behind;

    private boolean over;

    EventStream(AsyncContext async, Consumer<EventStream> ended) throws IOException {
        this.async = async;
        this.ended = ended;
        this.out = async.getResponse().getOutputStream();
        async.setTimeout(0);
        async.addListener(this);
    }

    /** Begins with all data. An event that is offered earlier counts as missed. */
    void begin(byte[] first) {
        synchronized (this) {
            next = first;
            begun = true;
        }
        out.setWriteListener(this);
    }

    /** Sends the changes, or all data if the reader has missed an event; asks only for the one that it sends. */
    void offer(Supplier<byte[]> changes, Supplier<byte[]> everything) {
        if (System.nanoTime() - began > LONGEST_NANOS || !tryOffer(changes, everything)) {
            end();
        }
    }

    private synchronized boolean tryOffer(Supplier<byte[]> changes, Supplier<byte[]> everything) {
        if (!begun || next != null) {
            behind = true;
        } else {
            next = behind ? everything.get() : changes.get();
            behind = false;
        }
        return !begun || tryWrite();
    }

    @Override
    public void onWritePossible() {
        if (!tryWrite()) {
            end();
        }
    }

    /** Writes the waiting event if the reader can take it; returns whether nothing failed. */
    private synchronized boolean tryWrite() {
        try {
            byte[] event = next;
            if (!over && event != null && out.isReady()) {
                next = null;
                out.write(event);
                if (out.isReady()) {
                    out.flush();
                }
            }
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Ends the answer, once. Holds no lock, since the container takes its own. */
    void end() {
        if (isFirstEnd()) {
            ended.accept(this);
            try {
                async.complete();
            } catch (IllegalStateException e) {
                // the container has ended it already
            }
        }
    }

    private synchronized boolean isFirstEnd() {
        boolean isFirst = !over;
        over = true;
        return isFirst;
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
