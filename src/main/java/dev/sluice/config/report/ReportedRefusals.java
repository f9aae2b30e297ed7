package dev.sluice.config.report;

import dev.sluice.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * Whom an instance refused most within the last minute, as it reports them: a line for each, no longer than so many
 * characters in all.
 *
 * @param text the lines
 */
public record ReportedRefusals(String text) {

    private static final int LONGEST = 16_000;
    /** So many words stand before those of the subjects. */
    private static final int FIXED = 6;

    /**
     * Who was refused, and how.
     *
     * @param endpoint the endpoint's id
     * @param subjects who is counted there
     * @param refused how many calls were
     * @param wouldRefuse how many passed only because of a dry run
     * @param tier the tier that did so last
     * @param sinceMillis when it began, as far as that is known: no minute has gone by since without a refusal
     * @param lastMillis when it did so last
     */
    public record Refused(
            String endpoint,
            List<Subject> subjects,
            long refused,
            long wouldRefuse,
            String tier,
            long sinceMillis,
            long lastMillis) {

        /** The same caller, as two instances tell of it. */
        public Refused and(Refused other) {
            return new Refused(
                    endpoint,
                    subjects,
                    refused + other.refused,
                    wouldRefuse + other.wouldRefuse,
                    lastMillis < other.lastMillis ? other.tier : tier,
                    Math.min(sinceMillis, other.sinceMillis),
                    Math.max(lastMillis, other.lastMillis));
        }
    }

    /** Of these callers, those first who are named first. */
    public static ReportedRefusals of(List<Refused> callers) {
        StringBuilder text = new StringBuilder();
        for (Refused caller : callers) {
            ReportLine words = new ReportLine(String.valueOf(caller.refused()))
                    .add(String.valueOf(caller.wouldRefuse()))
                    .add(caller.endpoint())
                    .add(caller.tier())
                    .add(String.valueOf(caller.sinceMillis()))
                    .add(String.valueOf(caller.lastMillis()));
            caller.subjects()
                    .forEach(subject ->
                            words.add(subject.name()).add(subject.source()).add(subject.value()));
            String line = words.line();
            if (text.length() + line.length() <= LONGEST) {
                text.append(line);
            }
        }
        return new ReportedRefusals(text.toString());
    }

    /** What the text says, as far as it is understood. */
    public List<Refused> read() {
        List<Refused> refused = new ArrayList<>();
        text.lines().limit(LONGEST / 8).forEach(line -> {
            try {
                refused.add(read(ReportLine.of(line)));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                // another program wrote this line, or a Sluice that says something else there
            }
        });
        return refused;
    }

    private static Refused read(List<String> words) {
        List<Subject> subjects = new ArrayList<>();
        for (int at = FIXED; at < words.size(); at += 3) {
            subjects.add(new Subject(words.get(at), words.get(at + 1), words.get(at + 2)));
        }
        return new Refused(
                words.get(2),
                subjects,
                Long.parseLong(words.get(0)),
                Long.parseLong(words.get(1)),
                words.get(3),
                Long.parseLong(words.get(4)),
                Long.parseLong(words.get(5)));
    }
}
