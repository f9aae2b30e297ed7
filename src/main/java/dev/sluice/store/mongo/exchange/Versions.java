package dev.sluice.store.mongo.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The versions of documents: a write names the version that was read, and stores the next one. A new document starts
 * with a version that no earlier one can have had, so that it is not confused with an expired one.
 */
final class Versions {

    /** A version that no document has. */
    static final Long NONE = -1L;

    private static final long A_MILLISECOND = 1_000;

    private Versions() {}

    static long next(@Nullable Object found, long nowMillis) {
        return found instanceof Long version && version >= 0 ? version + 1 : nowMillis * A_MILLISECOND;
    }
}
