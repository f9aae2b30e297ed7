package dev.sluice.snippets;

import java.util.List;
import java.util.stream.Stream;

/** The output of a command, without the parts that differ from run to run. */
final class ShownOutput {

    private static final String[][] VARYING = {
        {"\\b20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "(time)"},
        {"\\b\\d{13}\\b", "(time)"},
        {"(?m)^Date: .*", "Date: (time)"},
        {"(?i)(ratelimit-reset|Retry-After): \\d+", "$1: (seconds)"},
        {"try again in \\d+ (seconds?|minutes|hours|days)", "try again in (time)"},
        {"(again in|passes in|\\(in) (\\d+[dhms] ?)+", "$1 (time)"},
        {"\\d+ of (\\d+) used, \\d+ held by instances, \\d+ left", "(some) of $1 used, (some) held, (some) left"},
        {
            "\\d+ calls? (is|are) added to the limit of this window(; instances keep \\d+ that they hold)?",
            "(some) calls are added to the limit of this window"
        },
        {"it costs 1, and \\d+ of", "it costs 1, and (few) of"},
        {"\\bby \\w+@[\\w.-]+", "by (whom)"},
        {"follows /\\S+/", "follows (directory)/"},
        {"127\\.0\\.0\\.1:\\d+|localhost:\\d+|store:6379", "(address)"},
        {"\\b\\d+ counters?$", "(some) counters"},
        {"(?m) +$", ""},
    };

    /** A row of {@code top} for a caller that uses a limit, or for one that is refused. */
    private static final String USER = " *\\d+ +\\d+ of (\\d+) +\\d+ +((\\d+[dhms] ?)+) {2,}(\\S.*)";

    private static final String REFUSED = " *\\d+ +\\d+ +\\(time\\) +\\d+s ago +(\\S.*)";

    private ShownOutput() {}

    /** Its lines; rows of tables are in no order and without their figures. */
    static List<String> of(String printed) {
        String text = printed.replace("\r", "");
        for (String[] varying : VARYING) {
            text = text.replaceAll("(?m)" + varying[0], varying[1]);
        }
        List<String> lines = text.stripTrailing().lines().toList();
        if (lines.stream().noneMatch("Callers nearest their limits"::equals)) {
            return lines;
        }
        return Stream.concat(
                        lines.stream().filter(line -> !isRow(line)),
                        lines.stream()
                                .filter(ShownOutput::isRow)
                                .map(ShownOutput::withoutFigures)
                                .sorted())
                .toList();
    }

    private static boolean isRow(String line) {
        return line.matches(USER) || line.matches(REFUSED);
    }

    private static String withoutFigures(String row) {
        return row.replaceAll("^" + USER + "$", "of $1: $4").replaceAll("^" + REFUSED + "$", "refused: $1");
    }

    /** Whether lines were printed that the page shows; where it shows {@code …}, others may be between them. */
    static boolean matches(String shown, String printed) {
        List<String> expected = of(shown);
        List<String> actual = of(printed);
        if (!expected.contains("…")) {
            return expected.equals(actual);
        }
        int next = 0;
        for (String line : expected) {
            String start = line.endsWith("…") ? line.substring(0, line.length() - 1) : line;
            while (next < actual.size()
                    && !(line.endsWith("…")
                            ? actual.get(next).startsWith(start)
                            : actual.get(next).equals(line))) {
                next++;
            }
            if (next == actual.size()) {
                return false;
            }
        }
        return true;
    }
}
