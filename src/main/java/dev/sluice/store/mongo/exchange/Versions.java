package dev.sluice.store.mongo.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The versions of documents: whoever writes one names the version that he has read, and writes the next. A document that
 * is born begins with a version that none before it can have had, so nobody takes it for one that has expired.
 */
final class Versions {

    /** That no document has. */
    static final Long NONE = -1L;

    private static final long A_MILLISECOND = 1_000;

    private Versions() {}

    static long next(@Nullable Object found, long nowMillis) {
        return found instanceof Long version && version >= 0 ? version + 1 : nowMillis * A_MILLISECOND;
    }
}
