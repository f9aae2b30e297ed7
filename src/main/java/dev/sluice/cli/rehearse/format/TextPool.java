package dev.sluice.cli.rehearse.format;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Makes strings of bytes. A log says the same few words over and over: a text that was seen of late is the same object
 * again, which costs less than a new one and takes no more memory. Bounded. For one thread.
 */
final class TextPool {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int PLACES = 1 << 15;
    private static final int LONGEST = 200;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final byte[] @Nullable [] known = new byte[PLACES][];
    private final @Nullable String[] texts = new String[PLACES];

    String text(byte[] line, int from, int to) {
        int length = to - from;
        if (length > LONGEST) {
            return decoded(line, from, to);
        }
        int place = place(line, from, to);
        byte[] bytes = known[place];
        String text = texts[place];
        if (bytes != null && text != null && Arrays.equals(bytes, 0, bytes.length, line, from, to)) {
            return text;
        }
        String made = decoded(line, from, to);
        known[place] = Arrays.copyOfRange(line, from, to);
        texts[place] = made;
        return made;
    }

    private static int place(byte[] line, int from, int to) {
        long hash = (long) to - from;
        int i = from;
        for (; i + 8 <= to; i += 8) {
            hash = (hash ^ (long) LONG.get(line, i)) * MIX;
            hash ^= hash >>> 29;
        }
        for (; i < to; i++) {
            hash = (hash ^ line[i]) * MIX;
        }
        hash ^= hash >>> 32;
        return (int) (hash ^ hash >>> 15) & (PLACES - 1);
    }

    /** As UTF-8; bytes that are none are each a replacement character. */
    static String decoded(byte[] line, int from, int to) {
        return new String(line, from, to - from, StandardCharsets.UTF_8);
    }
}
