package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.List;

/**
 * Counts distinct callers by their 64-bit hashes. The count is exact up to a certain number of callers. Beyond that
 * number, only one in two callers is stored, then one in four, and so on. The result is then accurate to half a
 * percent. Not thread-safe.
 */
public final class DistinctCallers {

    /** The minimum number of callers that are stored, even if there is little memory. They occupy 4 MB. */
    private static final int FEWEST = 1 << 18;

    private static final int MOST = 1 << 22;
    /** The maximum number of stored callers is the JVM's memory divided by this number of bytes. */
    private static final int BYTES_FOR_EACH = 512;

    private final int most;
    private long[] slots = new long[64];
    private int kept;
    /** One in {@code 2^halvings} callers is stored. */
    private int halvings;

    DistinctCallers() {
        this(mostWith(Runtime.getRuntime().maxMemory()));
    }

    /** Creates a count that is exact up to the given number of callers. */
    DistinctCallers(int most) {
        this.most = most;
    }

    private static int mostWith(long memory) {
        return (int) Math.max(FEWEST, Math.min(MOST, memory / BYTES_FOR_EACH));
    }

    /** Adds a caller, unless it was already added. */
    void add(long fingerprint) {
        if (!isKept(fingerprint)) {
            return;
        }
        int slot = slot(fingerprint);
        if (slots[slot] != 0) {
            return;
        }
        slots[slot] = fingerprint;
        kept++;
        while (kept > most) {
            halvings++;
            rebuild(slots.length);
        }
        if (2 * (kept + 1) > slots.length) {
            rebuild(2 * slots.length);
        }
    }

    private boolean isKept(long fingerprint) {
        return (fingerprint >>> Integer.SIZE & (1L << halvings) - 1) == 0;
    }

    private int slot(long fingerprint) {
        int slot = (int) (fingerprint ^ fingerprint >>> 32) & (slots.length - 1);
        while (slots[slot] != 0 && slots[slot] != fingerprint) {
            slot = (slot + 1) & (slots.length - 1);
        }
        return slot;
    }

    private void rebuild(int length) {
        long[] before = slots;
        slots = new long[length];
        kept = 0;
        for (long fingerprint : before) {
            if (fingerprint != 0 && isKept(fingerprint)) {
                slots[slot(fingerprint)] = fingerprint;
                kept++;
            }
        }
    }

    int count() {
        return (int) Math.min(Integer.MAX_VALUE, (long) kept << halvings);
    }

    /** Returns the hash that identifies a caller. Never returns 0. */
    public static long fingerprint(List<Subject> who) {
        long hash = 0xcbf29ce484222325L;
        for (Subject subject : who) {
            hash = mixed(mixed(hash, subject.source()), subject.value());
        }
        hash ^= hash >>> 31;
        hash *= 0x9E3779B97F4A7C15L;
        hash ^= hash >>> 29;
        return hash == 0 ? 1 : hash;
    }

    private static long mixed(long hash, String text) {
        long mixed = (hash ^ text.length()) * 0x100000001b3L;
        for (int i = 0; i < text.length(); i++) {
            mixed = (mixed ^ text.charAt(i)) * 0x100000001b3L;
        }
        return mixed;
    }
}
