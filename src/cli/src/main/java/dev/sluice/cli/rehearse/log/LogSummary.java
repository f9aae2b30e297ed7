package dev.sluice.cli.rehearse.log;

import java.util.List;

/**
 * A summary of what was read from a set of logs, and which parts could not be used.
 *
 * @param logs each file with its format
 * @param read the number of non-empty lines
 * @param unreadable lines that are not in the format of their log
 * @param withoutRequest lines of connections without a valid request
 * @param late lines more than five minutes behind the lines before them; they are skipped
 * @param ahead lines more than a day ahead of the lines before and after them; they are skipped
 * @param outside calls whose path is outside the path of {@code --cut}
 * @param firstUnreadable the first unreadable lines, each with its location
 * @param broken sentences about files that could not be read completely
 */
public record LogSummary(
        List<String> logs,
        long read,
        long unreadable,
        long withoutRequest,
        long late,
        long ahead,
        long outside,
        List<String> firstUnreadable,
        List<String> broken) {}
