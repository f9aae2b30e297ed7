package dev.sluice.cli.rehearse.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads UTF-8 lines. If a line is longer than {@link #LONGEST}, stores only its beginning, so that a file without line
 * breaks cannot exhaust the memory. Not thread-safe.
 */
final class LineReader {

    static final int LONGEST = 1 << 16;

    private final Reader in;
    private final char[] buffer = new char[LONGEST];
    private final StringBuilder line = new StringBuilder();
    private int next;
    private int filled;

    LineReader(InputStream in) {
        this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
    }

    /** A line, or the beginning of a line that is too long. */
    record Line(String text, boolean isTooLong) {}

    /** Returns the next line; {@code null} at the end of the input. */
    @Nullable Line next() throws IOException {
        line.setLength(0);
        boolean isTooLong = false;
        while (next < filled || fill()) {
            int end = next;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            int room = LONGEST - line.length();
            isTooLong |= end - next > room;
            line.append(buffer, next, Math.min(room, end - next));
            next = Math.min(filled, end + 1);
            if (end < filled) {
                return line(isTooLong);
            }
        }
        return line.isEmpty() ? null : line(isTooLong);
    }

    private boolean fill() throws IOException {
        next = 0;
        filled = Math.max(0, in.read(buffer, 0, buffer.length));
        return filled > 0;
    }

    private Line line(boolean isTooLong) {
        int length = line.length();
        boolean isReturn = length > 0 && line.charAt(length - 1) == '\r';
        return new Line(line.substring(0, isReturn ? length - 1 : length), isTooLong);
    }
}
