package dev.sluice.internal.instance.report;

import dev.sluice.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * An instance's report about the callers with the most refusals in the last minute. Each caller has one line, and the
 * length of the report is limited.
 *
 * @param text the lines of the report
 */
public record ReportedRefusals(String text) {

    private static final int LONGEST = 16_000;
    /** The number of words before the subjects. */
    private static final int FIRST_SUBJECT = 6;
    /** The prefix of the last word if the caller has a name. No subject starts with this prefix. */
    private static final String NAME = "=";

    /**
     * The refusals of one caller at one endpoint.
     *
     * @param endpoint the endpoint's id
     * @param subjects the caller's subjects
     * @param refused the number of refused calls
     * @param wouldRefuse the number of calls that passed only because of a dry run
     * @param tier the tier of the last refusal
     * @param sinceMillis when this run of refusals began, as far as known. At least one call has been refused in each
     *     minute since then
     * @param lastMillis when the last call was refused
     * @param name the caller's display name; empty if it has none
     */
    public record RefusedCaller(
            String endpoint,
            List<Subject> subjects,
            long refused,
            long wouldRefuse,
            String tier,
            long sinceMillis,
            long lastMillis,
            String name) {

        /** Combines these refusals with those that another instance has reported for the same caller. */
        public RefusedCaller and(RefusedCaller other) {
            return new RefusedCaller(
                    endpoint,
                    subjects,
                    refused + other.refused,
                    wouldRefuse + other.wouldRefuse,
                    lastMillis < other.lastMillis ? other.tier : tier,
                    Math.min(sinceMillis, other.sinceMillis),
                    Math.max(lastMillis, other.lastMillis),
                    name.isEmpty() ? other.name : name);
        }
    }

    /** Creates a report with the given callers, in this order, up to the maximum length. */
    public static ReportedRefusals of(List<RefusedCaller> callers) {
        StringBuilder text = new StringBuilder();
        for (RefusedCaller caller : callers) {
            ReportLine words = new ReportLine(String.valueOf(caller.refused()))
                    .add(String.valueOf(caller.wouldRefuse()))
                    .add(caller.endpoint())
                    .add(caller.tier())
                    .add(String.valueOf(caller.sinceMillis()))
                    .add(String.valueOf(caller.lastMillis()));
            caller.subjects()
                    .forEach(subject ->
                            words.add(subject.name()).add(subject.source()).add(subject.value()));
            if (!caller.name().isEmpty()) {
                words.add(NAME + caller.name());
            }
            String line = words.line();
            if (text.length() + line.length() <= LONGEST) {
                text.append(line);
            }
        }
        return new ReportedRefusals(text.toString());
    }

    /** Parses the callers in the text, skipping malformed lines. */
    public List<RefusedCaller> read() {
        List<RefusedCaller> refused = new ArrayList<>();
        text.lines().limit(LONGEST / 8).forEach(line -> {
            try {
                refused.add(read(ReportLine.of(line)));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                // another program or another version of Sluice must have written this line
            }
        });
        return refused;
    }

    private static RefusedCaller read(List<String> words) {
        List<Subject> subjects = new ArrayList<>();
        String last = words.get(words.size() - 1);
        boolean isNamed = words.size() % 3 == 1 && last.startsWith(NAME);
        for (int at = FIRST_SUBJECT; at < words.size() - (isNamed ? 1 : 0); at += 3) {
            subjects.add(new Subject(words.get(at), words.get(at + 1), words.get(at + 2)));
        }
        return new RefusedCaller(
                words.get(2),
                subjects,
                Long.parseLong(words.get(0)),
                Long.parseLong(words.get(1)),
                words.get(3),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(5)),
                isNamed ? last.substring(NAME.length()) : "");
    }
}
