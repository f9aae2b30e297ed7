package dev.sluice.internal.store.mongo.document;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Versions of documents. A write states the version that was read, and stores a new version. Versions increase with the
 * server's time and end with three random digits. A simple counter would not be enough, because it would reach the same
 * numbers again after a document has expired and been recreated, or after a failover has lost the latest writes. A late
 * write could then match one of these numbers.
 */
final class Versions {

    /** A version that no document has. */
    static final Long NONE = -1L;

    private static final int A_MILLISECOND = 1_000;

    private Versions() {}

    static long next(@Nullable Object found, long nowMillis) {
        long next = nowMillis * A_MILLISECOND + ThreadLocalRandom.current().nextInt(A_MILLISECOND);
        return found instanceof Long version && version >= next ? version + 1 : next;
    }
}
