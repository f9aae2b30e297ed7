package dev.sluice.cli.rehearse.log;

import dev.sluice.internal.text.SafeText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** How much was read of some logs, and what could not be used. For one thread. */
public final class LogSummary {

    private static final int MOST_NAMED = 5;
    private static final int MOST_SHOWN = 120;

    private long lines;
    private long unreadable;
    private long withoutRequest;
    private long late;
    private long outside;
    private final List<String> firstUnreadable = new ArrayList<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> formats = new ArrayList<>();

    /** Lines with something on them. */
    public long lines() {
        return lines;
    }

    /** Lines that are not in the format of their log. */
    public long unreadable() {
        return unreadable;
    }

    /** Lines of connections without a valid request. */
    public long withoutRequest() {
        return withoutRequest;
    }

    /** Lines that came so late that what follows them had been played. */
    public long late() {
        return late;
    }

    /** Calls whose path is not below the context path. */
    public long outside() {
        return outside;
    }

    /** The first unreadable lines, each with its place. */
    public List<String> firstUnreadable() {
        return List.copyOf(firstUnreadable);
    }

    /** What was wrong with whole files. */
    public List<String> broken() {
        return List.copyOf(broken);
    }

    /** Each file with the format that was found. */
    public List<String> formats() {
        return List.copyOf(formats);
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
