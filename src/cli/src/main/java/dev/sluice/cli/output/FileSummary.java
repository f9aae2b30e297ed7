package dev.sluice.cli.output;

import dev.sluice.internal.config.clients.FileClients;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import dev.sluice.tier.Algorithm;
import dev.sluice.tier.Tier;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Summarizes on one line how many endpoints, tiers and clients a file contains. */
public final class FileSummary {

    private FileSummary() {}

    /**
     * Returns the summary, for example
     * {@code 3 endpoints, 4 tiers (3 fixed-window, 1 token-bucket), 1 subject, 0 clients; 1 more endpoint is
     * disabled; regionShare 0.5}.
     */
    public static String of(LimitsFile file) {
        Limits limits = file.limits();
        List<Tier> tiers = limits.endpoints().stream()
                .flatMap(endpoint -> endpoint.tiers().stream())
                .toList();
        String disabled = file.disabled() == 0
                ? ""
                : "; " + file.disabled() + (file.disabled() == 1 ? " more endpoint is" : " more endpoints are")
                        + " disabled";
        return CountText.of(limits.endpoints().size(), "endpoint") + ", " + CountText.of(tiers.size(), "tier")
                + algorithms(tiers) + ", " + CountText.of(limits.subjects().size(), "subject") + ", "
                + CountText.of(limits.clients().size(), "client") + plans(limits.plans()) + disabled
                + (file.tiers().hasRegionShare()
                        ? "; regionShare "
                                + file.tiers()
                                        .regionShare()
                                        .stripTrailingZeros()
                                        .toPlainString()
                        : "");
    }

    /** Describes how many plans there are, and how many clients a table lists; empty if the file has neither. */
    private static String plans(Plans plans) {
        Plans.Directory directory = plans.directory();
        String table = directory != null && directory.clients() instanceof FileClients clients
                ? " and " + clients.size() + " in a file"
                : "";
        return table
                + (plans.byName().isEmpty()
                        ? ""
                        : ", " + CountText.of(plans.byName().size(), "plan"));
    }

    /** Describes how many tiers use each algorithm; empty if all tiers use the default algorithm. */
    private static String algorithms(List<Tier> tiers) {
        Map<Algorithm, Long> counts = tiers.stream()
                .collect(Collectors.groupingBy(
                        tier -> tier.limit().algorithm(), LinkedHashMap::new, Collectors.counting()));
        return counts.keySet().equals(Set.of(Algorithm.DEFAULT))
                ? ""
                : counts.entrySet().stream()
                        .map(count -> count.getValue() + " " + count.getKey().word())
                        .collect(Collectors.joining(", ", " (", ")"));
    }
}
