package dev.sluice.internal.match.path;

import java.io.Serial;

/** Thrown if a path pattern is invalid. The message explains what is wrong and what to write instead. */
public final class PathPatternException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int index;

    PathPatternException(int index, String message) {
        super(message);
        this.index = index;
    }

    /** Returns the index of the error in the pattern. */
    public int index() {
        return index;
    }
}
