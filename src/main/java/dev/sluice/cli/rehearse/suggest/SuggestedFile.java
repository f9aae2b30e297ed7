package dev.sluice.cli.rehearse.suggest;

import dev.sluice.cli.rehearse.tally.CallerName;
import dev.sluice.cli.rehearse.tally.EndpointTally;
import dev.sluice.cli.rehearse.tally.client.ClientTally;
import dev.sluice.cli.text.CountText;
import dev.sluice.config.shape.Durations;
import dev.sluice.text.SafeText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a file of fitted limits, with the reasons in comments. */
final class SuggestedFile {

    private static final int LONGEST_NAME = 40;

    private final String head;
    private final List<String> per;
    private final Map<PathGroup, CallerDemand> demands;
    private final Map<PathGroup, FittedLimit> fits = new LinkedHashMap<>();

    /**
     * Makes one.
     *
     * @param head what the file says before its endpoints
     * @param per whom the endpoints count
     */
    SuggestedFile(String head, List<String> per, Map<PathGroup, CallerDemand> demands) {
        this.head = head;
        this.per = per;
        this.demands = demands;
        demands.forEach((group, demand) -> fits.put(group, FittedLimit.of(demand)));
    }

    /** The file; with what each endpoint refuses, once it was rehearsed. */
    String yaml(String title, List<EndpointTally> rehearsed) {
        StringBuilder text = new StringBuilder(title).append(head).append("endpoints:\n");
        fits.forEach((group, fit) -> {
            EndpointTally tally = rehearsed.stream()
                    .filter(one -> one.endpoint().id().equals(group.id()))
                    .findFirst()
                    .orElse(null);
            text.append(endpoint(group, fit, tally));
        });
        return text.toString();
    }

    private String endpoint(PathGroup group, FittedLimit fit, @Nullable EndpointTally tally) {
        return reason(group, fit)
                + (tally == null ? "" : refusals(tally))
                + "  - id: " + group.id() + "\n"
                + "    methods: [ " + group.method() + " ]\n"
                + "    pathPattern: " + quoted(group.pattern()) + "\n"
                + "    per: [ " + String.join(", ", per) + " ]\n"
                + "    tiers: [ " + tier(fit) + " ]\n";
    }

    private String reason(PathGroup group, FittedLimit fit) {
        CallerDemand demand = demands.getOrDefault(group, new CallerDemand());
        String who = demand.unusual() == 0 ? "no caller" : "all but " + demand.unusual() + " never";
        String first = "  # " + CountText.of(demand.calls(), "call") + " of " + CountText.of(demand.callers(), "caller")
                + ", of whom " + who + " asked for more than " + fit.usual() + " in " + period(fit) + "; the most was "
                + fit.most() + ".\n";
        return fit.isBursty()
                ? first + "  # They come in bursts, of up to " + fit.usualAtOnce() + " in 10s: hence the bucket.\n"
                : first;
    }

    private static String refusals(EndpointTally tally) {
        String clients = tally.mostRefused(3).stream()
                .map(ClientTally::who)
                .map(who -> SafeText.cut(CallerName.of(who), LONGEST_NAME))
                .collect(Collectors.joining(", "));
        return tally.refused() == 0
                ? "  # In these logs it refuses nobody.\n"
                : "  # In these logs it refuses " + CountText.of(tally.refused(), "call") + " of "
                        + CountText.of(tally.refusedClients(), "caller") + ": " + clients
                        + (tally.refusedClients() > 3 ? ", …" : "") + "\n";
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
