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
    private boolean begun;
    private boolean behind;
    private boolean over;

    LiveStream(AsyncContext async, Consumer<LiveStream> ended) throws IOException {
        this.async = async;
        this.ended = ended;
        this.out = async.getResponse().getOutputStream();
        async.setTimeout(0);
        async.addListener(this);
    }

    /** Tells everything first. What is offered before is not told by itself: the next offer tells everything again. */
    void begin(byte[] first) {
        synchronized (this) {
            next = first;
            begun = true;
        }
        out.setWriteListener(this);
    }

    /** Hands on what is new, or everything to who has missed something; makes neither if there is no need. */
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

    /** Whether nothing failed. */
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

    /** Ends the answer, with no lock held: the container takes its own. The second time nothing happens. */
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
