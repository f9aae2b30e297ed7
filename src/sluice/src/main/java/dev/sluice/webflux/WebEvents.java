package dev.sluice.webflux;

import dev.sluice.internal.page.EventReader;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Streams events to a reader through a WebFlux server. Servers request parts of a response long before they can write
 * them. However, they subscribe to a part only after they have written the previous part. Each part is therefore a
 * placeholder for one event. The event is read when the server subscribes to the part. Thread-safe.
 */
final class WebEvents implements EventReader {

    private final DataBufferFactory buffers;
    private @Nullable Feed stream;
    private @Nullable MonoSink<DataBuffer> place;
    private boolean isOver;

    WebEvents(DataBufferFactory buffers) {
        this.buffers = buffers;
    }

    /** The response body, with one part for each event. */
    Flux<Mono<DataBuffer>> all() {
        return Flux.generate(parts -> {
            if (isOver()) {
                parts.complete();
            } else {
                parts.next(Mono.create(this::read));
            }
        });
    }

    private synchronized boolean isOver() {
        return isOver;
    }

    /** Called when the server is ready to write. Sends the next event as soon as there is one. */
    private void read(MonoSink<DataBuffer> part) {
        Feed begun;
        synchronized (this) {
            begun = isOver ? null : stream;
            place = begun == null ? null : part;
        }
        if (begun == null) {
            part.success();
        } else {
            begun.write();
        }
    }

    @Override
    public void begin(Feed begun) {
        boolean hasLeft;
        synchronized (this) {
            stream = begun;
            hasLeft = isOver;
        }
        if (hasLeft) {
            begun.end();
        }
    }

    @Override
    public boolean take(byte[] event) {
        MonoSink<DataBuffer> free;
        synchronized (this) {
            free = place;
            place = null;
        }
        if (free != null) {
            free.success(buffers.wrap(event));
        }
        return free != null;
    }

    @Override
    public void end() {
        MonoSink<DataBuffer> last;
        synchronized (this) {
            isOver = true;
            last = place;
            place = null;
        }
        if (last != null) {
            last.success();
        }
    }

    /** Called when the reader has disconnected, or if it never received a response. */
    void left() {
        end();
        Feed begun;
        synchronized (this) {
            begun = stream;
        }
        if (begun != null) {
            begun.end();
        }
    }
}
