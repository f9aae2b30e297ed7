package dev.sluice.cli.rehearse.log;

import dev.sluice.internal.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What was read of some logs so far; the readers of the logs count it. Not thread-safe. */
final class LogCounts {

    private static final int MOST_NAMED = 5;
    private static final int MOST_SHOWN = 120;

    final List<String> broken = new ArrayList<>();
    final List<String> formats = new ArrayList<>();
    long lines;
    long withoutRequest;
    long late;
    long ahead;
    long outside;
    private final List<String> firstUnreadable = new ArrayList<>();
    private long unreadable;

    LogSummary summary() {
        return new LogSummary(
                List.copyOf(formats),
                lines,
                unreadable,
                withoutRequest,
                late,
                ahead,
                outside,
                List.copyOf(firstUnreadable),
                List.copyOf(broken));
    }

    void addUnreadable(String where, byte[] line, int from, int to, boolean isTooLong) {
        unreadable++;
        if (firstUnreadable.size() < MOST_NAMED) {
            firstUnreadable.add(where + ": " + (isTooLong ? "longer than " + LineReader.LONGEST + " bytes: " : "")
                    + shown(line, from, to));
        }
    }

    /** A line as a terminal may show it. */
    static String shown(byte[] line, int from, int to) {
        int length = Math.min(to - from, 4 * MOST_SHOWN);
        return SafeText.cut(new String(line, from, length, StandardCharsets.UTF_8), MOST_SHOWN);
    }
}
