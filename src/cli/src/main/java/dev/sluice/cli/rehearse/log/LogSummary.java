package dev.sluice.cli.rehearse.log;

import java.util.List;

/**
 * Says how much was read from some logs, and which parts could not be used.
 *
 * @param logs each file with its format
 * @param read the number of lines that are not empty
 * @param unreadable lines that are not in the format of their log
 * @param withoutRequest lines of connections without a valid request
 * @param late lines more than five minutes behind the lines before them, which are left out
 * @param ahead lines more than a day ahead of the lines before and after them, which are left out
 * @param outside calls whose path is not below that of {@code --cut}
 * @param firstUnreadable the first unreadable lines, each with its place
 * @param broken sentences on files that could not be read completely
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
