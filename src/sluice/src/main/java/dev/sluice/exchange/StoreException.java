package dev.sluice.exchange;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store has not applied a batch, or if it is unknown whether it has. The message is a sentence for
 * operators and contains no secrets. Stores create the exception with {@link #unavailable}, {@link #conflict},
 * {@link #stale} or {@link #forgotten}.
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
     * Creates an exception for a store that is unavailable or unhealthy. Resending the same batch might succeed.
     *
     * @param sentence a description of the problem, for operators
     * @param cause the underlying failure; {@code null} if there is none
     */
    public static StoreException unavailable(String sentence, @Nullable Throwable cause) {
        return new StoreException(Kind.UNAVAILABLE, sentence, cause);
    }

    /**
     * Creates an exception for a healthy store that did not apply part of the batch because other instances kept
     * changing the same counters. Resending the same batch might succeed.
     */
    public static StoreException conflict(String sentence) {
        return new StoreException(Kind.CONFLICT, sentence, null);
    }

    /**
     * Creates an exception for a batch whose sender has already sent a newer one. The store has not applied the older
     * batch and never will.
     */
    public static StoreException stale(String sentence) {
        return new StoreException(Kind.STALE, sentence, null);
    }

    /**
     * Creates an exception for a batch that is so old that the store might have applied and then forgotten it. The
     * store therefore rejects the batch.
     */
    public static StoreException forgotten(String sentence) {
        return new StoreException(Kind.FORGOTTEN, sentence, null);
    }

    /** Whether resending the same batch might succeed. */
    public boolean temporary() {
        return kind == Kind.UNAVAILABLE || isConflict();
    }

    /**
     * Whether a healthy store could not apply the batch because other instances kept changing the same counters.
     */
    public boolean isConflict() {
        return kind == Kind.CONFLICT;
    }

    /** Whether the store no longer knows whether it applied the batch. */
    public boolean isForgotten() {
        return kind == Kind.FORGOTTEN;
    }
}
