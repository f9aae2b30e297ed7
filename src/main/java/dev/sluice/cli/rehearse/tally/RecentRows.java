package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where rows of callers were found last, by the object that the limiter names them with: it is the same for as long as
 * their counter is in use, so most look-ups compare nothing.
 */
final class RecentRows {

    private static final int PLACES = 1 << 16;

    private final @Nullable Object[] names = new Object[PLACES];
    private final int[] rows = new int[PLACES];

    /** The row of that caller; -1 if it is not remembered. */
    int find(List<Subject> who) {
        int place = place(who);
        return names[place] == who ? rows[place] : -1;
    }

    void remember(List<Subject> who, int row) {
        int place = place(who);
        names[place] = who;
        rows[place] = row;
    }

    /** Some rows are of other callers now. */
    void clear() {
        Arrays.fill(names, null);
    }

    private static int place(Object who) {
        return System.identityHashCode(who) & (PLACES - 1);
    }
}
