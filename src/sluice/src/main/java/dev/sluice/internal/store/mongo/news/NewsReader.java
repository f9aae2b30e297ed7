package dev.sluice.internal.store.mongo.news;

import dev.sluice.internal.store.mongo.connection.MongoLink;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * Reads news from other instances until this reader is closed. Reads the change stream if the server pushes news, and
 * polls the server otherwise. Delivers each document once. Not thread-safe, except for {@link #wake} and
 * {@link #close}.
 */
final class NewsReader implements Runnable {

    private static final Duration LONGEST_WAIT = Duration.ofMillis(500);
    private static final Duration AFTER_TROUBLE = Duration.ofSeconds(1);
    /**
     * How often to check whether a server that did not support change streams now does. An operator might have
     * converted a standalone server to a replica set.
     */
    private static final long ASK_FOR_STREAM_NANOS = TimeUnit.MINUTES.toNanos(1);
    /**
     * How long the reader remembers document ids. If a document is read twice within this time, it is delivered only
     * once.
     */
    private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final MongoLink link;
    private final NewsCollection collection;
    private final PollBackoff backoff;
    private final Consumer<Document> listener;
    private final Duration wait;
    private final Semaphore wakes = new Semaphore(0);
    /** When each document was read, by document id, oldest first. */
    private final Map<Object, Long> known = new LinkedHashMap<>();

    private volatile boolean closed;

    NewsReader(MongoLink link, NewsCollection collection, PollBackoff backoff, Consumer<Document> listener) {
        this.link = link;
        this.collection = collection;
        this.backoff = backoff;
        this.listener = listener;
        Duration half = link.address().timeout().dividedBy(2);
        this.wait = half.compareTo(LONGEST_WAIT) < 0 ? half : LONGEST_WAIT;
    }

    @Override
    public void run() {
        while (!closed) {
            NewsStream stream = new NewsStream(wait);
            try {
                boolean isPushed = link.use(database -> stream.open(collection.in(database)))
                        .join();
                poll(); // reads the news from before the stream began
                if (isPushed) {
                    follow(stream);
                    pause(backoff.next(System.nanoTime())); // the stream has ended, perhaps with the collection
                } else {
                    pollFor(ASK_FOR_STREAM_NANOS);
                }
            } catch (RuntimeException e) { // the server has probably failed, so keep trying
                pause(AFTER_TROUBLE);
            } finally {
                var unused = link.use(database -> {
                    stream.close();
                    return true;
                });
            }
        }
    }

    private void follow(NewsStream stream) {
        while (!closed && stream.isOpen()) {
            long asked = System.nanoTime();
            List<Document> news = link.use(database -> stream.await()).join();
            collection.read(news);
            receive(news);
            boolean hasWaited = System.nanoTime() - asked > wait.toNanos() / 4;
            if (news.isEmpty() && !hasWaited) {
                pause(backoff.next(System.nanoTime())); // the server replies without waiting, so pause here
            }
        }
    }

    private void pollFor(long nanos) {
        long until = System.nanoTime() + nanos;
        while (!closed && System.nanoTime() - until < 0) {
            pause(backoff.next(System.nanoTime()));
            poll();
        }
    }

    private void poll() {
        receive(link.use(database -> collection.latest(database, link.nowMillis()))
                .join());
    }

    private void receive(List<Document> news) {
        long now = System.nanoTime();
        forgetOld(now);
        for (Document one : news) {
            if (known.putIfAbsent(String.valueOf(one.get(NewsDocument.ID)), now) == null) {
                listener.accept(one);
            }
        }
    }

    private void forgetOld(long now) {
        Iterator<Long> read = known.values().iterator();
        while (read.hasNext() && now - read.next() > KNOWN_NANOS) {
            read.remove();
        }
    }

    private void pause(Duration time) {
        try {
            if (wakes.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS)) {
                wakes.drainPermits();
            }
        } catch (InterruptedException e) {
            closed = true; // this thread is interrupted only when it has to stop
        }
    }

    /** Wakes the reader for the next poll. Thread-safe. */
    void wake() {
        if (wakes.availablePermits() == 0) { // one permit is enough; while the server pushes news, nobody takes them
            wakes.release();
        }
    }

    /** Stops reading. Thread-safe. */
    void close() {
        closed = true;
        wake();
    }
}
