package dev.sluice.cli.rehearse.log;

import java.util.List;

/**
 * A summary of what was read from a set of logs, and of the parts that could not be used.
 *
 * @param logs each file with its format
 * @param read the number of non-empty lines
 * @param unreadable the number of lines that are not in the format of their log
 * @param withoutRequest the number of lines that record connections without a valid request
 * @param late the number of skipped lines that are more than five minutes behind the lines before them
 * @param ahead the number of skipped lines that are more than a day ahead of the lines before and after them
 * @param outside the number of calls whose path does not begin with the path in {@code --cut}
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
