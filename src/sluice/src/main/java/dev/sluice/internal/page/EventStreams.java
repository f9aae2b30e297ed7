package dev.sluice.internal.page;

import dev.sluice.internal.thread.BackgroundThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples the limiter on a dedicated thread, and sends the changes to the readers of the page. While the page has
 * readers, the limiter is sampled every second. No reader can block the thread. Thread-safe.
 */
final class EventStreams implements AutoCloseable {

    static final long TICK_MILLIS = 1000;

    /** The maximum number of concurrent readers. */
    static final int MOST = 16;

    private static final byte[] BEFORE_DATA = "data: ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] BEHIND_DATA = "\n\n".getBytes(StandardCharsets.UTF_8);
    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.page");

    /** While the page has no readers, the limiter is sampled only on every nth tick, where n is this number. */
    private static final int IDLE_TICKS = 5;

    private final Sampler sampler;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = BackgroundThreads.timer("sluice-page");

    /** The latest rendering of all data, and the time when it was rendered. Guarded by the sampler. */
    private byte[] rendered = new byte[0];

    private long renderedMillis;
    private int ticks;
    private boolean failed;

    EventStreams(Sampler sampler) {
        this.sampler = sampler;
    }

    EventStreams start() {
        var unused = timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    /** Begins a stream. Returns {@code false} if the maximum number of streams has been reached. */
    synchronized boolean add(EventReader reader) {
        if (streams.size() >= MOST || timer.isShutdown()) {
            return false;
        }
        EventStream stream = new EventStream(reader, streams::remove);
        streams.add(stream);
        try {
            stream.begin(event(sampler.everything()));
        } catch (IOException e) {
            stream.end(); // the reader has disconnected
        } catch (RuntimeException | Error e) {
            streams.remove(stream);
            throw e;
        }
        if (stream.isOver()) {
            streams.remove(stream);
        }
        return true;
    }

    /**
     * Returns all data. Renders the data at most once per second, as measured by the limiter's clock, regardless of the
     * number of requests.
     */
    byte[] everything() {
        synchronized (sampler) {
            if (rendered.length == 0 || Math.abs(sampler.nowMillis() - renderedMillis) > TICK_MILLIS) {
                PageData data = sampler.diagnosed();
                rendered = JsonText.of(data);
                renderedMillis = data.now().toEpochMilli();
            }
            return rendered;
        }
    }

    int count() {
        return streams.size();
    }

    private void tick() {
        try {
            if (!streams.isEmpty() || ++ticks % IDLE_TICKS == 0) {
                send(sampler.takeChanges());
            }
        } catch (RuntimeException | Error e) {
            if (!failed) {
                failed = true;
                LOG.warn(
                        "Could not send the latest figures to readers of the page; retrying every second (logged once)",
                        e);
            }
        }
    }

    private void send(PageData changed) {
        Supplier<byte[]> changes = once(() -> event(changed));
        Supplier<byte[]> everything = once(() -> event(sampler.everything()));
        streams.forEach(stream -> stream.offer(changes, everything));
    }

    private static Supplier<byte[]> once(Supplier<byte[]> made) {
        return new Supplier<>() {
            private byte[] known = new byte[0];

            @Override
            public byte[] get() {
                known = known.length == 0 ? made.get() : known;
                return known;
            }
        };
    }

    private byte[] event(PageData data) {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        event.writeBytes(BEFORE_DATA);
        event.writeBytes(JsonText.of(data));
        event.writeBytes(BEHIND_DATA);
        return event.toByteArray();
    }

    /** Ends all streams and stops the thread. No new stream can begin afterwards. */
    @Override
    public synchronized void close() {
        BackgroundThreads.end(timer);
        streams.forEach(EventStream::end);
    }
}
