package dev.sluice.exchange;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store has not applied a batch, or if it is unknown whether the store has applied it. The message is a
 * sentence for operators and contains no secrets. Stores create the exception with {@link #unavailable}, {@link
 * #conflict}, {@link #stale} or {@link #forgotten}.
 */
public final class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private enum Kind {
        UNAVAILABLE,
        CONFLICT,
        STALE,
        FORGOTTEN
    }

    private final Kind kind;

    private StoreException(Kind kind, String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
        this.kind = kind;
    }

    /**
     * The store is unavailable or unhealthy. A retry of the same batch might succeed.
     *
     * @param sentence a description of the problem, for operators
     * @param cause the underlying failure; {@code null} if there is none
     */
    public static StoreException unavailable(String sentence, @Nullable Throwable cause) {
        return new StoreException(Kind.UNAVAILABLE, sentence, cause);
    }

    /**
     * The store is healthy, but part of the batch was not applied, because other instances kept changing the same
     * counters. A retry of the same batch might succeed.
     */
    public static StoreException conflict(String sentence) {
        return new StoreException(Kind.CONFLICT, sentence, null);
    }

    /** The sender has already sent a newer batch. This batch was not applied and never will be. */
    public static StoreException stale(String sentence) {
        return new StoreException(Kind.STALE, sentence, null);
    }

    /**
     * The batch is so old that the store might have applied and then forgotten it. The store therefore rejects the
     * batch.
     */
    public static StoreException forgotten(String sentence) {
        return new StoreException(Kind.FORGOTTEN, sentence, null);
    }

    /** Whether a retry of the same batch might succeed. */
    public boolean temporary() {
        return kind == Kind.UNAVAILABLE || isConflict();
    }

    /**
     * Whether the store is healthy, but could not apply the batch because other instances kept changing the same
     * counters.
     */
    public boolean isConflict() {
        return kind == Kind.CONFLICT;
    }

    /** Whether the store has no record of whether it applied the batch. */
    public boolean isForgotten() {
        return kind == Kind.FORGOTTEN;
    }
}
