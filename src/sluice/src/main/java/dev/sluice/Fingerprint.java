package dev.sluice;

import java.security.SecureRandom;
import java.util.List;

/**
 * Computes a number that identifies a caller at an endpoint. Comparing numbers is cheaper than comparing names, because
 * names are scattered in memory. The hash uses a random key that is chosen at startup, so outsiders cannot construct
 * names that collide, not even in some of the bits.
 */
final class Fingerprint {

    private static final long KEY = new SecureRandom().nextLong();
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private Fingerprint() {}

    static long of(String endpoint, List<Subject> subjects) {
        long print = mixed(KEY ^ endpoint.hashCode());
        for (int i = 0; i < subjects.size(); i++) {
            Subject subject = subjects.get(i);
            // A plain hash is safe for names and sources, because they come from the file. Only values come from
            // callers.
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
        long remainder = 0;
        for (; at < text.length(); at++) {
            remainder = remainder << 16 | text.charAt(at);
        }
        return mixed(sum ^ remainder);
    }

    private static long mixed(long bits) {
        return Math.multiplyHigh(bits, FACTOR) ^ bits * FACTOR;
    }
}
