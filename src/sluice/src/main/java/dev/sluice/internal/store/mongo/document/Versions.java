package dev.sluice.internal.store.mongo.document;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Versions of documents. A write specifies the version that was read, and stores a new one. Versions increase with the
 * server's time and end with three random digits. A simple counter would not suffice: it would reach the same numbers
 * again if a document were recreated after it had expired, or if a failover lost the latest writes. The version in a
 * late write could then match one of these numbers.
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
