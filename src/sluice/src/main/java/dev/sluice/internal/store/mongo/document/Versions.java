package dev.sluice.internal.store.mongo.document;

import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Versions of documents: a write names the version that was read, and stores a new one. Versions grow with the server's
 * time, and end with three random digits. So no two writes store the same version, even if a document has expired and
 * was created again, or if its latest writes were lost when another member became primary.
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
