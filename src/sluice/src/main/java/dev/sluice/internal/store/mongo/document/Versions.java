package dev.sluice.internal.store.mongo.document;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Versions of documents. A write names the version that was read, and stores a new one. Versions grow with the server's
 * time and end with three random digits. A simple count would not be enough: after a document has expired and been
 * created again, or after its latest writes were lost in a failover, the count would reach the same numbers again, and
 * a late write could match one of them.
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
