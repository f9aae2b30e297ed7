package dev.sluice.exchange;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A store did not apply a batch, or it is unknown whether it did. The message is a sentence for operators. */
public final class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean temporary;
    private final boolean conflict;

    private StoreException(String sentence, boolean temporary, boolean conflict, @Nullable Throwable cause) {
        super(sentence, cause);
        this.temporary = temporary;
        this.conflict = conflict;
    }

    /** The store is away or unhealthy: the same batch may succeed when sent again. */
    public static StoreException unavailable(String sentence, @Nullable Throwable cause) {
        return new StoreException(sentence, true, false, cause);
    }

    /**
     * The store is well, but other instances changed the same counters again and again, so that a part of the batch was
     * not applied: the same batch may succeed when sent again.
     */
    public static StoreException conflict(String sentence) {
        return new StoreException(sentence, true, true, null);
    }

    /** The batch is older than another one of its sender: it was not applied and never will be. */
    public static StoreException outdated(String sentence) {
        return new StoreException(sentence, false, false, null);
    }

    /** Whether the same batch may succeed when sent again. */
    public boolean temporary() {
        return temporary;
    }

    /** Whether only other instances were in the way, and the store is not away. */
    public boolean isConflict() {
        return conflict;
    }
}
