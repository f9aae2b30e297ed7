package dev.sluice.page;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples at intervals, on a thread of its own, and tells all who listen what is new: each second while somebody does.
 * Writes as far as a listener can take it, and waits for none. Safe for any threads.
 */
final class LiveStreams implements AutoCloseable {

    static final long TICK_MILLIS = 1000;

    /** So many may listen at a time. */
    static final int MOST = 16;

    private static final Logger LOG = LoggerFactory.getLogger(LiveStreams.class);

    /** Without listeners, each so many seconds are enough for the history. */
    private static final int IDLE_TICKS = 5;

    private final Sampler sampler;
    private final JsonText json;
    private final Set<LiveStream> streams = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "sluice-page");
        thread.setDaemon(true);
        return thread;
    });

    private volatile @Nullable Document document;
    private int ticks;
    private boolean failed;

    LiveStreams(Sampler sampler, JsonText json) {
        this.sampler = sampler;
        this.json = json;
    }

    LiveStreams start() {
        var unused = timer.scheduleWithFixedDelay(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return this;
    }

    /** Begins to tell whoever asks; whether there was room for one more. */
    synchronized boolean add(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (streams.size() >= MOST || timer.isShutdown()) {
            return false;
        }
        response.setContentType("text/event-stream; charset=utf-8");
        response.setHeader("X-Accel-Buffering", "no");
        LiveStream stream = new LiveStream(request.startAsync(request, response), streams::remove);
        streams.add(stream);
        try {
            stream.begin(event(sampler.everything()));
        } catch (RuntimeException | Error e) {
            streams.remove(stream);
            throw e;
        }
        if (stream.isOver()) {
            streams.remove(stream);
        }
        return true;
    }

    /** All there is, as of this second of the limiter's clock: however often it is asked for, it is made once a second. */
    byte[] everything() {
        Document known = document;
        if (known == null || isOld(known)) {
            synchronized (sampler) {
                known = document;
                if (known == null || isOld(known)) {
                    PageData data = sampler.everything();
                    known = new Document(json.of(data), data.now());
                    document = known;
                }
            }
        }
        return known.text;
    }

    private boolean isOld(Document known) {
        return Math.abs(sampler.nowMillis() - known.madeMillis) > TICK_MILLIS;
    }

    /** What was told last to those who ask for all. */
    private static final class Document {
        private final byte[] text;
        private final long madeMillis;

        private Document(byte[] text, long madeMillis) {
            this.text = text;
            this.madeMillis = madeMillis;
        }
    }

    int count() {
        return streams.size();
    }

    private void tick() {
        try {
            if (!streams.isEmpty() || ++ticks % IDLE_TICKS == 0) {
                tell(sampler.takeChanges());
            }
        } catch (RuntimeException | Error e) {
            if (!failed) {
                failed = true;
                LOG.warn("The page could not be told the latest figures. It is tried again each second (said once)", e);
            }
        }
    }

    private void tell(PageData news) {
        Supplier<byte[]> changes = once(() -> event(news));
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
        byte[] text = json.of(data);
        byte[] before = "data: ".getBytes(StandardCharsets.UTF_8);
        byte[] event = new byte[before.length + text.length + 2];
        System.arraycopy(before, 0, event, 0, before.length);
        System.arraycopy(text, 0, event, before.length, text.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        return event;
    }

    /** Ends all streams; none begins any more. */
    @Override
    public synchronized void close() {
        timer.shutdownNow();
        streams.forEach(LiveStream::end);
    }
}
