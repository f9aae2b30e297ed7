package dev.sluice.exchange;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A store did not apply a batch, or it is unknown whether it did. The message is a sentence for operators. */
public final class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private enum Kind {
        UNAVAILABLE,
        CONFLICT,
        OUTDATED,
        FORGOTTEN
    }

    private final Kind kind;

    private StoreException(Kind kind, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
    }

    /** The store is away or unhealthy: the same batch may succeed when sent again. */
    public static StoreException unavailable(String sentence, @Nullable Throwable cause) {
        return new StoreException(Kind.UNAVAILABLE, sentence, cause);
    }

    /**
     * The store is well, but other instances changed the same counters again and again, so that a part of the batch was
     * not applied: the same batch may succeed when sent again.
     */
    public static StoreException conflict(String sentence) {
        return new StoreException(Kind.CONFLICT, sentence, null);
    }

    /** The batch is older than another one of its sender: it was not applied and never will be. */
    public static StoreException outdated(String sentence) {
        return new StoreException(Kind.OUTDATED, sentence, null);
    }

    /** The batch is so old that the store may have applied it and forgotten that: it does not apply it now. */
    public static StoreException forgotten(String sentence) {
        return new StoreException(Kind.FORGOTTEN, sentence, null);
    }

    /** Whether the same batch may succeed when sent again. */
    public boolean temporary() {
        return kind == Kind.UNAVAILABLE || isConflict();
    }

    /** Whether only other instances were in the way, and the store is not away. */
    public boolean isConflict() {
        return kind == Kind.CONFLICT;
    }

    /** Whether it is unknown, and will stay so, whether the batch was applied. */
    public boolean isForgotten() {
        return kind == Kind.FORGOTTEN;
    }
}
