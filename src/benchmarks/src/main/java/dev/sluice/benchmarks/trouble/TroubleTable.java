package dev.sluice.benchmarks.trouble;

import dev.sluice.benchmarks.trouble.Play.Finding;
import dev.sluice.benchmarks.trouble.Play.PlayedScene;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The results of all scenes, as a table for the terminal and in Markdown. */
final class TroubleTable {

    private static final String ROW = "%-47s %6s %-19s %-17s %-10s %-27s %-11s %s";

    private final List<PlayedScene> outcomes = new ArrayList<>();

    private enum Verdict {
        HELD,
        /** The promise was broken on purpose, and the ledger detected it. */
        SEEN,
        FAILED,
        NOT_PROMISED;

        static Verdict on(PlayedScene outcome, Promise promise) {
            TroubleScene scene = outcome.scene();
            boolean held = outcome.findings().get(promise).held();
            if (scene.mustBreak().contains(promise)) {
                return held ? FAILED : SEEN;
            } else if (!scene.promises(promise)) {
                return NOT_PROMISED;
            }
            return held ? HELD : FAILED;
        }
    }

    void add(PlayedScene outcome) {
        outcomes.add(outcome);
        System.out.println(ROW.formatted(cells(outcome).toArray()));
    }

    boolean isGood() {
        return outcomes.stream().allMatch(outcome -> failures(outcome).isEmpty());
    }

    /** The broken promises, each with the first few affected calls or callers; empty if all promises were kept. */
    static String failures(PlayedScene outcome) {
        return Stream.of(Promise.values())
                .filter(promise -> Verdict.on(outcome, promise) == Verdict.FAILED)
                .map(promise -> "    " + promise + ": "
                        + outcome.findings().get(promise).offenders().stream()
                                .limit(3)
                                .collect(Collectors.joining("; "))
                        + "\n")
                .collect(Collectors.joining());
    }

    static String head() {
        return ROW.formatted(columns().toArray());
    }

    String markdown() {
        Stream<String> rows = outcomes.stream().map(outcome -> markdown(cells(outcome)));
        String line = "|" + "---|".repeat(columns().size());
        return Stream.concat(Stream.of(markdown(columns()), line), rows).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String markdown(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static List<String> columns() {
        return Stream.concat(
                        Stream.of("scene", "calls"), Stream.of(Promise.values()).map(Promise::toString))
                .toList();
    }

    private static List<String> cells(PlayedScene outcome) {
        return Stream.concat(
                        Stream.of(outcome.scene().title(), outcome.calls() + ""),
                        Stream.of(Promise.values()).map(promise -> cell(outcome, promise)))
                .toList();
    }

    private static String cell(PlayedScene outcome, Promise promise) {
        Verdict verdict = Verdict.on(outcome, promise);
        Finding finding = outcome.findings().get(promise);
        return switch (verdict) {
            case HELD -> finding.measured();
            case NOT_PROMISED -> "(" + finding.measured() + ")";
            case FAILED -> "FAILED: " + finding.measured();
            case SEEN -> "seen: " + finding.measured();
        };
    }
}
