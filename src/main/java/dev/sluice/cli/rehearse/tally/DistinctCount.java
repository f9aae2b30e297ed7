package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.List;

/** Counts different callers by 64 bits of each: exactly, up to a number at which it stops. */
public final class DistinctCount {

    /** Where it stops: 64 MB. */
    public static final int MOST = 4_000_000;

    private long[] places = new long[64];
    private int count;

    /** Adds a caller, if it is not there yet. */
    void add(long mark) {
        if (count >= MOST) {
            return;
        }
        if (2 * (count + 1) > places.length) {
            grow();
        }
        int place = place(mark);
        if (places[place] == 0) {
            places[place] = mark;
            count++;
        }
    }

    private int place(long mark) {
        int place = (int) (mark ^ mark >>> 32) & (places.length - 1);
        while (places[place] != 0 && places[place] != mark) {
            place = (place + 1) & (places.length - 1);
        }
        return place;
    }

    private void grow() {
        long[] before = places;
        places = new long[2 * before.length];
        for (long mark : before) {
            if (mark != 0) {
                places[place(mark)] = mark;
            }
        }
    }

    public int count() {
        return count;
    }

    /** What a caller is told apart by; never 0. */
    static long mark(List<Subject> who) {
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
