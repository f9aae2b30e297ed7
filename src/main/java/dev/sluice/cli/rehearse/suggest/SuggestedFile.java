package dev.sluice.cli.rehearse.suggest;

import dev.sluice.cli.text.CountText;
import dev.sluice.internal.config.shape.Durations;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a file of fitted limits, with the reasons in comments. */
final class SuggestedFile {

    private final String head;
    private final List<String> per;
    private final Map<PathGroup, FittedLimit> fits = new LinkedHashMap<>();
    private final Map<PathGroup, String> reasons = new HashMap<>();

    /**
     * Makes one. Keeps no demand, since each takes much memory.
     *
     * @param head what the file says before its endpoints
     * @param per whom the endpoints count
     */
    SuggestedFile(String head, List<String> per, Map<PathGroup, CallerDemand> demands) {
        this.head = head;
        this.per = per;
        demands.forEach((group, demand) -> {
            FittedLimit fit = FittedLimit.of(demand);
            fits.put(group, fit);
            reasons.put(group, reason(demand, fit));
        });
    }

    /** The file; with what each endpoint refuses, by its id, once it was rehearsed. */
    String yaml(String title, Map<String, Refusals> rehearsed) {
        StringBuilder text = new StringBuilder(title).append(head).append("endpoints:\n");
        fits.forEach((group, fit) -> text.append(endpoint(group, fit, rehearsed.get(group.id()))));
        return text.toString();
    }

    private String endpoint(PathGroup group, FittedLimit fit, @Nullable Refusals refused) {
        return reasons.get(group)
                + (refused == null ? "" : refusals(refused))
                + "  - id: " + group.id() + "\n"
                + "    methods: [ " + group.method() + " ]\n"
                + "    pathPattern: " + quoted(group.pattern()) + "\n"
                + "    per: [ " + String.join(", ", per) + " ]\n"
                + "    tiers: [ " + tier(fit) + " ]\n";
    }

    private static String reason(CallerDemand demand, FittedLimit fit) {
        String who = demand.unusual() == 0 ? "no caller" : "all but " + demand.unusual() + " never";
        String first = "  # " + CountText.of(demand.calls(), "call") + " of " + CountText.of(demand.callers(), "caller")
                + ", of whom " + who + " asked for more than " + fit.usual() + " in " + period(fit) + "; the most was "
                + fit.most() + ".\n";
        return fit.isBursty()
                ? first + "  # They come in bursts, of up to " + fit.usualAtOnce() + " in 10s: hence the bucket.\n"
                : first;
    }

    private static String refusals(Refusals refused) {
        return refused.calls() == 0
                ? "  # In these logs it refuses nobody.\n"
                : "  # In these logs it refuses " + CountText.of(refused.calls(), "call") + " of "
                        + CountText.of(refused.callers(), "caller") + ": " + refused.names() + "\n";
    }

    private static String tier(FittedLimit fit) {
        String plain = "{ period: " + period(fit) + ", threshold: " + fit.threshold();
        return plain + (fit.isBursty() ? ", algorithm: token-bucket, burst: " + fit.burst() : "") + " }";
    }

    private static String period(FittedLimit fit) {
        return Durations.shortest(Duration.ofMillis(CallerDemand.WINDOWS[fit.window()]));
    }

    /** Braces mean something else in YAML. */
    private static String quoted(String pattern) {
        return pattern.indexOf('{') < 0 ? pattern : '"' + pattern + '"';
    }
}
