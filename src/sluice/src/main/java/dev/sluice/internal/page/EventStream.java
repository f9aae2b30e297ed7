package dev.sluice.internal.page;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stream of events to one reader of the page. It buffers at most one event until the reader can accept it. If a
 * reader has missed an event, the next event contains all data. The stream ends after five minutes, so that the browser
 * reconnects and is authorized again. Thread-safe; {@code this} guards its state, but events are rendered without the
 * lock.
 */
final class EventStream implements EventReader.Feed {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(5);

    private final EventReader reader;
    private final Consumer<EventStream> ended;
    private final long began = System.nanoTime();
    private byte @Nullable [] next;
    private boolean begun;
    /** Whether the reader has missed an event. */
    private boolean behind;

    private boolean over;

    EventStream(EventReader reader, Consumer<EventStream> ended) {
        this.reader = reader;
        this.ended = ended;
    }

    /** Begins the stream with all data. If an event was offered before this call, the reader has missed it. */
    void begin(byte[] first) throws IOException {
        synchronized (this) {
            next = first;
            begun = true;
        }
        reader.begin(this);
    }

    /**
     * Sends the changes, or all data if the reader has missed an event. Renders only the data that it sends. Called
     * only by the sampling thread.
     */
    void offer(Supplier<byte[]> changes, Supplier<byte[]> everything) {
        if (System.nanoTime() - began > LONGEST_NANOS) {
            end();
            return;
        }
        @Nullable Supplier<byte[]> wanted;
        synchronized (this) {
            boolean isFree = begun && next == null;
            behind |= !isFree;
            wanted = isFree ? behind ? everything : changes : null;
        }
        if (wanted != null) {
            put(wanted.get());
        }
        write();
    }

    private synchronized void put(byte[] event) {
        next = event;
        behind = false;
    }

    /** Writes the pending event if the reader can accept it now. If the write fails, ends the stream. */
    @Override
    public void write() {
        if (!tryWrite()) {
            end();
        }
    }

    /** Writes the pending event if the reader can accept it now. Returns {@code false} if the write failed. */
    private synchronized boolean tryWrite() {
        try {
            byte[] event = next;
            if (begun && !over && event != null && reader.take(event)) {
                next = null;
            }
            return true;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    synchronized boolean isOver() {
        return over;
    }

    /**
     * Ends the response, but only once. Does not hold a lock meanwhile, because the container acquires its own locks.
     */
    @Override
    public void end() {
        if (isFirstEnd()) {
            ended.accept(this);
            reader.end();
        }
    }

    private synchronized boolean isFirstEnd() {
        boolean isFirst = !over;
        over = true;
        return isFirst;
    }
}
