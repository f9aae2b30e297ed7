package dev.sluice.cli.rehearse.format.field;

import java.util.Arrays;

/** Remembers the last time that was read: most lines are of the same second as the line before. For one thread. */
public final class LogTimeCache {

    private byte[] text = new byte[0];
    private long millis = LogTime.NONE;

    /** As {@link LogTime#parse} has it. */
    public long parse(byte[] line, int from, int to) {
        if (!Arrays.equals(text, 0, text.length, line, from, to)) {
            millis = LogTime.parse(line, from, to);
            text = Arrays.copyOfRange(line, from, to);
        }
        return millis;
    }
}
