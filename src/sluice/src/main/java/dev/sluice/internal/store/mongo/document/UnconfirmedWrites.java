package dev.sluice.internal.store.mongo.document;

import dev.sluice.exchange.StoreException;
import dev.sluice.exchange.TimeToLive;
import dev.sluice.internal.store.mongo.document.CounterDocuments.Write;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The writes that have received no reply, by sender. The reason can be a lost connection or a slow server. The server
 * could still apply such a write later, as long as the document still has the version that was read. Therefore, the
 * sender's next attempt also writes these documents, even if it would not otherwise change them. It does so regardless
 * of whether it sends the same batch or a new one. The late write then finds a different version and has no effect.
 * Thread-safe.
 */
public final class UnconfirmedWrites {

    private static final long REMEMBERED_NANOS = TimeToLive.USUAL.answer().toNanos();

    private final LongSupplier nanoClock;
    /** The latest attempt, by sender. */
    private final Map<String, Attempt> latest = new ConcurrentHashMap<>();

    public UnconfirmedWrites(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * Begins a new attempt for a sender. From then on, earlier attempts that are still running cannot write any more.
     */
    Attempt begin(String instance) {
        return Objects.requireNonNull(
                latest.compute(instance, (name, before) -> new Attempt(before == null ? Map.of() : before.end())));
    }

    /**
     * A write that the server could still apply.
     *
     * @param version the version of the document that the write replaces
     */
    private record Late(@Nullable Object version, long sentNanos) {}

    /** One attempt to apply a batch. */
    final class Attempt {

        /** The writes that have received no reply, by document id. Guarded by {@code this}. */
        private final Map<String, Late> writes;

        private boolean ended; // guarded by this

        private Attempt(Map<String, Late> before) {
            writes = new HashMap<>(before);
            long now = nanoClock.getAsLong();
            writes.values().removeIf(late -> now - late.sentNanos > REMEMBERED_NANOS);
        }

        /** The ids of the documents to which the server could still apply earlier writes. */
        synchronized Set<String> ids() {
            return Set.copyOf(writes.keySet());
        }

        /** Whether the server could still apply an earlier write to a document that was read with the given version. */
        synchronized boolean mayBeWrittenLate(String id, @Nullable Object versionFound) {
            Late late = writes.get(id);
            return late != null && (Versions.NONE.equals(versionFound) || Objects.equals(late.version, versionFound));
        }

        /** Records that the given writes are about to be sent. */
        synchronized void send(Collection<Write> sent) {
            if (ended) {
                throw StoreException.unavailable("a newer attempt of this instance is in flight", null);
            }
            long now = nanoClock.getAsLong();
            sent.forEach(write -> writes.put(write.id(), new Late(write.versionFound(), now)));
        }

        /** Records that all writes have received replies. */
        synchronized void succeed() {
            writes.clear();
        }

        private synchronized Map<String, Late> end() {
            ended = true;
            return Map.copyOf(writes);
        }
    }
}
