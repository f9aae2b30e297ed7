package dev.sluice.spring.start;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The limiter cannot start, for another reason than mistakes in the limits. */
public final class StartFailure extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final String action;

    public StartFailure(String description, String action, @Nullable Throwable cause) {
        super(description, cause);
        this.action = action;
    }

    /** What to do about it. */
    String action() {
        return action;
    }
}
