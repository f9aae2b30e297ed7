package dev.sluice.cli.rehearse.suggest;

import dev.sluice.Decision;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.cli.rehearse.tally.RefusalCount;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the logged calls that a suggested endpoint refuses. Stores only refused callers, because they are few. */
final class RefusedCallers {

    private static final int MOST_NAMED = 3;
    private static final int LONGEST_NAME = 40;

    private final Map<String, Long> callers = new HashMap<>();
    private long calls;

    /** Adds a decision by this endpoint. */
    void add(LoggedCall call, Decision decision) {
        if (RefusalCount.isRefusal(decision)) {
            calls++;
            String crawler = Visitors.crawler(call);
            String name = CallerText.of(decision.subjects()) + (crawler == null ? "" : " (" + crawler + ")");
            callers.merge(name, 1L, Long::sum);
        }
    }

    /** Describes the refused calls in a sentence for a comment. */
    String sentence() {
        return calls == 0
                ? "In these logs, it refuses nobody."
                : "In these logs, it refuses " + CountText.of(calls, "call") + " of "
                        + CountText.of(callers.size(), "caller") + ": " + names();
    }

    /** Lists the names of the most refused callers, followed by an ellipsis if there are more. */
    private String names() {
        List<String> most = callers.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_NAMED)
                .map(caller -> SafeText.cut(caller.getKey(), LONGEST_NAME))
                .toList();
        return String.join(", ", most) + (callers.size() > MOST_NAMED ? ", …" : "");
    }
}
