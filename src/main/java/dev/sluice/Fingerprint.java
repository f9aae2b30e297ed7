package dev.sluice;

import java.security.SecureRandom;
import java.util.List;

/**
 * A caller at an endpoint as a number, by which callers are told apart: to compare names, which lie all over memory, takes
 * longer than all else that is counted of a call. It is well mixed, and has a key that is made up at the start, so nobody
 * outside can find names that share one, or some bits of it.
 */
final class Fingerprint {

    private static final long KEY = new SecureRandom().nextLong();
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private Fingerprint() {}

    static long of(String endpoint, List<Subject> subjects) {
        long print = mixed(KEY ^ endpoint.hashCode());
        for (int i = 0; i < subjects.size(); i++) {
            Subject subject = subjects.get(i);
            // Names and sources stand in the file, and their hashes are known already; values are what callers send.
            print = mixed(print
                    ^ ((long) subject.name().hashCode() << Integer.SIZE
                            ^ subject.source().hashCode()));
            print = with(print, subject.value());
        }
        return mixed(print);
    }

    private static long with(long print, String text) {
        long sum = mixed(print ^ text.length());
        int at = 0;
        for (; at + 4 <= text.length(); at += 4) {
            sum = mixed(sum
                    ^ (text.charAt(at)
                            | (long) text.charAt(at + 1) << 16
                            | (long) text.charAt(at + 2) << 32
                            | (long) text.charAt(at + 3) << 48));
        }
        long rest = 0;
        for (; at < text.length(); at++) {
            rest = rest << 16 | text.charAt(at);
        }
        return mixed(sum ^ rest);
    }

    private static long mixed(long bits) {
        return Math.multiplyHigh(bits, FACTOR) ^ bits * FACTOR;
    }
}
