package dev.sluice.cli.rehearse.suggest;

import dev.sluice.cli.output.CountText;
import dev.sluice.internal.config.value.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A file of fitted limits. Its comments explain how they were derived. */
final class SuggestedFile {

    private final String head;
    private final String per;
    private final List<Suggestion> suggestions = new ArrayList<>();

    private record Suggestion(PathGroup group, FittedLimit fit, String reason) {}

    /**
     * Fits a limit to each demand. Does not store the demands, because each demand occupies a lot of memory.
     *
     * @param head the comments at the beginning of the file
     * @param per the subject by which the endpoints are keyed
     */
    SuggestedFile(String head, String per, Map<PathGroup, CallerDemand> demands) {
        this.head = head;
        this.per = per;
        demands.forEach((group, demand) -> {
            FittedLimit fit = FittedLimit.of(demand, group.onlyReads());
            suggestions.add(new Suggestion(group, fit, reason(demand, fit)));
        });
    }

    /**
     * Returns the content of the file.
     *
     * @param rehearsed the calls that each endpoint refuses, by endpoint id; empty if the file has not been rehearsed
     *     yet
     */
    String yaml(Map<String, RefusedCallers> rehearsed) {
        StringBuilder text = new StringBuilder(head).append("endpoints:\n");
        suggestions.forEach(one -> text.append(endpoint(one, rehearsed.get(one.group.id()))));
        return text.toString();
    }

    private String endpoint(Suggestion suggestion, @Nullable RefusedCallers refused) {
        PathGroup group = suggestion.group;
        return suggestion.reason
                + (refused == null ? "" : "  # " + refused.sentence() + "\n")
                + "  - id: " + group.id() + "\n"
                + "    methods: [ " + group.method() + " ]\n"
                + "    pathPattern: " + quoted(group.pattern()) + "\n"
                + "    per: [ " + per + " ]\n"
                + "    mode: dry-run\n"
                + "    tiers: [ " + tier(suggestion.fit) + " ]\n";
    }

    private static String reason(CallerDemand demand, FittedLimit fit) {
        String first = "  # " + asked(demand, fit.window(), period(fit)) + "\n";
        return fit.isBursty()
                ? first + "  # They come in bursts, of up to " + fit.usualAtOnce() + " in 10s, so a bucket fits them.\n"
                : first;
    }

    /** Describes the demand in windows of the given length, in a sentence for a comment. */
    static String asked(CallerDemand demand, int window, String period) {
        String who = demand.unusual() == 0 ? "no caller" : "all but " + demand.unusual() + " of them never";
        return CountText.of(demand.calls(), "call") + " of " + CountText.of(demand.callers(), "caller") + ", and "
                + who + " exceeded " + demand.usual(window) + " in " + period + "; the maximum was "
                + demand.most(window) + ".";
    }

    private static String tier(FittedLimit fit) {
        String plain = "{ period: " + period(fit) + ", threshold: " + fit.threshold();
        return plain + (fit.isBursty() ? ", algorithm: token-bucket, burst: " + fit.burst() : "") + " }";
    }

    private static String period(FittedLimit fit) {
        return Durations.shortest(FittedLimit.WINDOWS.get(fit.window()).length());
    }

    /**
     * Returns the pattern, in quotes if it contains braces. Without quotes, an opening brace could start a map in YAML.
     */
    private static String quoted(String pattern) {
        return pattern.indexOf('{') < 0 ? pattern : '"' + pattern + '"';
    }
}
