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
 * The writes without a reply, by sender. Either the connection was lost or the server was slow. The server can still
 * apply such a write later, as long as the document has the version that was read. Therefore, the sender's next
 * attempt, with the same batch or another one, also writes these documents, even if it does not change them otherwise.
 * The late write then finds another version and has no effect. Thread-safe.
 */
public final class UnconfirmedWrites {

    private static final long REMEMBERED_NANOS = TimeToLive.USUAL.answer().toNanos();

    private final LongSupplier nanoClock;
    /** The latest attempt, by sender. */
    private final Map<String, Attempt> latest = new ConcurrentHashMap<>();

    public UnconfirmedWrites(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Begins an attempt for a sender. Earlier attempts that are still running can no longer write. */
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

        /** The writes without a reply, by document id. Guarded by {@code this}. */
        private final Map<String, Late> writes;

        private boolean ended; // guarded by this

        private Attempt(Map<String, Late> before) {
            writes = new HashMap<>(before);
            long now = nanoClock.getAsLong();
            writes.values().removeIf(late -> now - late.sentNanos > REMEMBERED_NANOS);
        }

        /** The ids of the documents with writes that the server could still apply. */
        synchronized Set<String> ids() {
            return Set.copyOf(writes.keySet());
        }

        /** Whether the server could still apply a write to a document that was read with the given version. */
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
