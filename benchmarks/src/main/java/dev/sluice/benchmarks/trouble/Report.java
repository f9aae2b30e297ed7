package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.Play.Finding;
import dev.sluice.benchmarks.trouble.Play.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verdicts on all scenes, as a table for a terminal and the same in Markdown. */
final class Report {

    private final List<Outcome> outcomes = new ArrayList<>();

    private enum Verdict {
        HELD,
        /** It does not hold yet, as the list of expected failures says. */
        EXPECTED,
        /** It is on that list and has held. */
        MENDED,
        /** It was broken on purpose, and the ledger noticed. */
        NOTICED,
        FAILED,
        NOT_PROMISED;

        static Verdict on(Scene scene, Promise promise, boolean held) {
            if (scene.mustBreak().contains(promise)) {
                return held ? FAILED : NOTICED;
            }
            if (!scene.promises(promise)) {
                return NOT_PROMISED;
            }
            if (scene.expectedFailures().containsKey(promise)) {
                return held ? MENDED : EXPECTED;
            }
            return held ? HELD : FAILED;
        }
    }

    void add(Outcome outcome) {
        outcomes.add(outcome);
        System.out.println(line(outcome));
    }

    boolean isGood() {
        return outcomes.stream().noneMatch(Report::fails);
    }

    static boolean fails(Outcome outcome) {
        return Stream.of(Promise.values()).anyMatch(promise -> verdict(outcome, promise) == Verdict.FAILED);
    }

    /** To whom promises were broken that should hold: the first few. */
    static String failures(Outcome outcome) {
        return Stream.of(Promise.values())
                .filter(promise -> verdict(outcome, promise) == Verdict.FAILED)
                .flatMap(promise -> outcome.findings().get(promise).offenders().stream()
                        .limit(3)
                        .map(offender -> "    " + promise + ": " + offender + "\n"))
                .collect(Collectors.joining());
    }

    private static Verdict verdict(Outcome outcome, Promise promise) {
        return Verdict.on(
                outcome.scene(), promise, outcome.findings().get(promise).held());
    }

    /** For a terminal. */
    static String head() {
        return "%-48s %6s".formatted("scene", "calls")
                + Stream.of(Promise.values())
                        .map(promise -> " %-20s".formatted(promise))
                        .collect(Collectors.joining());
    }

    private static String line(Outcome outcome) {
        return "%-48s %6d".formatted(outcome.scene().title(), outcome.calls())
                + Stream.of(Promise.values())
                        .map(promise -> " %-20s".formatted(cell(outcome, promise)))
                        .collect(Collectors.joining());
    }

    private static String cell(Outcome outcome, Promise promise) {
        Verdict verdict = verdict(outcome, promise);
        Finding finding = outcome.findings().get(promise);
        return switch (verdict) {
            case HELD -> finding.measured();
            case FAILED -> "FAILED: " + finding.measured();
            case NOT_PROMISED -> "-";
            default -> verdict.name().toLowerCase(Locale.ROOT) + ": " + finding.measured();
        };
    }

    String markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("| Scene | calls |"
                + Stream.of(Promise.values()).map(promise -> " " + promise + " |").collect(Collectors.joining()));
        lines.add("|---|---|" + "---|".repeat(Promise.values().length));
        for (Outcome outcome : outcomes) {
            lines.add("| " + outcome.scene().title() + " | " + outcome.calls() + " |"
                    + Stream.of(Promise.values())
                            .map(promise -> " " + cell(outcome, promise) + " |")
                            .collect(Collectors.joining()));
        }
        return String.join("\n", lines) + "\n";
    }

    /** What is expected to fail and why, and what could leave that list. */
    String remarks() {
        List<String> lines = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            outcome.scene().expectedFailures().forEach((promise, why) -> {
                boolean mended = verdict(outcome, promise) == Verdict.MENDED;
                lines.add("%s, \"%s\": %s"
                        .formatted(
                                outcome.scene().title(), promise, mended ? "mended: remove it from the list" : why));
            });
        }
        return String.join("\n", lines);
    }
}
