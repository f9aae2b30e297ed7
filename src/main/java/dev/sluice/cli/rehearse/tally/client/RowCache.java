package dev.sluice.cli.rehearse.tally.client;

import dev.sluice.Subject;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the rows of callers by the identity of their list of subjects. The limiter keeps that list for as long as
 * the caller's counter is in use, so most look-ups compare nothing.
 */
final class RowCache {

    private static final int SLOTS = 1 << 16;

    private final @Nullable Object[] names = new Object[SLOTS];
    private final int[] rows = new int[SLOTS];

    /** The row of that caller; -1 if it is not remembered. */
    int find(List<Subject> who) {
        int slot = slot(who);
        return names[slot] == who ? rows[slot] : -1;
    }

    void remember(List<Subject> who, int row) {
        int slot = slot(who);
        names[slot] = who;
        rows[slot] = row;
    }

    /** Some rows are of other callers now. */
    void clear() {
        Arrays.fill(names, null);
    }

    private static int slot(Object who) {
        return System.identityHashCode(who) & (SLOTS - 1);
    }
}
