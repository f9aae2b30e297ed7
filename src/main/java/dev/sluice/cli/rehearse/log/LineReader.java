package dev.sluice.cli.rehearse.log;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Cuts bytes into lines, one at a time, in one buffer. Of a line longer than {@link #LONGEST}, it keeps only the
 * beginning. Not thread-safe.
 */
final class LineReader {

    static final int LONGEST = 1 << 16;
    private static final int BUFFER = 4 * LONGEST;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = ONES << 7;
    private static final long NEWLINES = ONES * '\n';

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private byte[] line = buffer;
    private int next;
    private int filled;
    private int from;
    private int to;
    private boolean isTooLong;
    private boolean isOver;
    private long number;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line; returns whether there is one. */
    boolean next() throws IOException {
        isTooLong = false;
        line = buffer;
        int end = end(next);
        if (end < 0 && isOver && next == filled) {
            return false;
        }
        from = next;
        to = end < 0 ? filled : end;
        if (to - from > LONGEST) {
            isTooLong = true;
            to = from + LONGEST;
        }
        next = end < 0 ? filled : end + 1;
        if (isTooLong && end < 0) {
            skipRest();
        }
        to -= to > from && line[to - 1] == '\r' ? 1 : 0;
        number++;
        return true;
    }

    /**
     * The end of the line that begins here; reads more bytes if necessary. -1 if it has no end, or none within the limit.
     */
    private int end(int begin) throws IOException {
        int at = begin;
        while (true) {
            at = lineEnd(at);
            if (at < filled) {
                return at;
            }
            if (isOver || filled - next > LONGEST) {
                return -1;
            }
            at -= fill();
        }
    }

    /** The index of the next newline, or the end of the bytes if there is none. Looks at eight bytes at once. */
    private int lineEnd(int begin) {
        int at = begin;
        for (; at + Long.BYTES <= filled; at += Long.BYTES) {
            long differing = (long) LONG.get(buffer, at) ^ NEWLINES;
            long equal = (differing - ONES) & ~differing & HIGHS;
            if (equal != 0) {
                return at + Long.numberOfTrailingZeros(equal) / Byte.SIZE;
            }
        }
        while (at < filled && buffer[at] != '\n') {
            at++;
        }
        return at;
    }

    /** Reads more bytes; moves the unread ones to the front if necessary, and returns by how much. */
    private int fill() throws IOException {
        int moved = 0;
        if (filled == buffer.length) {
            moved = next;
            System.arraycopy(buffer, next, buffer, 0, filled - next);
            filled -= moved;
            next = 0;
        }
        int count = in.read(buffer, filled, buffer.length - filled);
        isOver = count < 0;
        filled += Math.max(0, count);
        return moved;
    }

    /** Keeps the beginning of a line that is too long, and skips the rest. */
    private void skipRest() throws IOException {
        line = Arrays.copyOfRange(buffer, from, to);
        to -= from;
        from = 0;
        do {
            filled = Math.max(0, in.read(buffer, 0, buffer.length));
            isOver = filled == 0;
            next = 0;
            while (next < filled && buffer[next] != '\n') {
                next++;
            }
        } while (next == filled && !isOver);
        next = Math.min(filled, next + 1);
    }

    /** Bytes that contain the line from {@link #from} to {@link #to}; valid until {@link #next} is called. */
    byte[] bytes() {
        return line;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    boolean isTooLong() {
        return isTooLong;
    }

    /** The number of the line; the first is 1. */
    long number() {
        return number;
    }
}
