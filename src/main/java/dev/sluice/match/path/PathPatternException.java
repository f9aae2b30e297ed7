package dev.sluice.match.path;

import java.io.Serial;

/** A path pattern that cannot be understood; the message says what is wrong and what to write instead. */
public final class PathPatternException extends IllegalArgumentException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final int index;

    PathPatternException(int index, String message) {
        super(message);
        this.index = index;
    }

    /** Where in the pattern the trouble begins, counted from 0. */
    public int index() {
        return index;
    }
}
