package dev.sluice.cli.rehearse.log;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.internal.text.SafeText;
import java.util.ArrayList;
import java.util.List;

/** Counts what has been read from a set of logs so far. The log readers update the counts. Not thread-safe. */
final class LogCounts {

    private static final int MOST_NAMED = 5;
    private static final int MOST_SHOWN = 120;
    /** At most one in this many lines is allowed to be out of order. */
    private static final int ONE_IN = 100;

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

    void addUnreadable(String where, String line, boolean isTooLong) {
        unreadable++;
        if (firstUnreadable.size() < MOST_NAMED) {
            firstUnreadable.add(where + ": " + (isTooLong ? "longer than " + LineReader.LONGEST + " characters: " : "")
                    + shown(line));
        }
    }

    /**
     * Rejects the logs if too many of their lines were skipped, because the result of a rehearsal would be misleading.
     */
    void requireOrder() {
        long skipped = late + ahead;
        if (skipped * ONE_IN > lines) {
            throw new CommandFailure(
                    skipped + " of " + lines + " lines are more than five minutes behind the lines before them, or a"
                            + " day ahead of their neighbours, so they could not be played; sort the"
                            + " log by time (if the newest line comes first, write: tac LOG | sluice"
                            + " rehearse FILE -), or name the original logs one by one,"
                            + " because they are merged by time");
        }
    }

    /** Shortens and escapes a line, so that a terminal can display it. */
    static String shown(String line) {
        return SafeText.cut(line, MOST_SHOWN);
    }
}
