package dev.sluice.cli.rehearse.log;

import dev.sluice.internal.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Counts what is read of some logs. Not thread-safe. */
final class LogCounts {

    private static final int MOST_NAMED = 5;
    private static final int MOST_SHOWN = 120;

    private final List<String> firstUnreadable = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> formats = new ArrayList<>();
    private long lines;
    private long unreadable;
    private long withoutRequest;
    private long late;
    private long ahead;
    private long outside;

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

    void addLine() {
        lines++;
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

    void addWithoutRequest() {
        withoutRequest++;
    }

    void addLate() {
        late++;
    }

    void addAhead() {
        ahead++;
    }

    void addOutside() {
        outside++;
    }

    void addBroken(String sentence) {
        broken.add(sentence);
    }

    void addFormat(String file, String format) {
        formats.add(file + ": " + format);
    }
}
