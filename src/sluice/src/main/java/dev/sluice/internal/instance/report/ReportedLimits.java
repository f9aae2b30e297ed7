package dev.sluice.internal.instance.report;

import dev.sluice.Endpoint;
import dev.sluice.internal.match.caller.HashedClient;
import dev.sluice.internal.text.Sha256;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Tier;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * An instance's report about its limits, with one line for each subject, endpoint, tier, client and plan. Reports omit
 * the store's address, response headers, proxies and conditions. If a client's subject is secret, the report contains
 * only a hash. A short client table is included.
 *
 * @param text the lines of the report; equal limits have equal texts
 */
public record ReportedLimits(String text) {

    /** The first line. The number in it has to change whenever old readers would misread the other lines. */
    static final String FORMAT = "sluice-limits 1";

    /** Marks an endpoint that only counts failed logins. */
    static final String FAILED_LOGINS = "failed-logins";

    private static final int MOST_OF_TABLE = 2_000;

    /** Creates a report about the limits of a file. */
    public static ReportedLimits of(String file, Limits limits) {
        StringBuilder text = new StringBuilder(FORMAT).append('\n');
        text.append(new ReportLine("file").add(file).line());
        limits.subjects().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(subject -> text.append(new ReportLine("subject")
                        .add(subject.getKey())
                        .addAll(subject.getValue().stream()
                                .map(SubjectSource::name)
                                .toList())
                        .line()));
        limits.endpoints().forEach(endpoint -> append(text, endpoint));
        limits.clients().forEach(client -> append(text, HashedClient.of(client, limits.subjects())));
        limits.plans().byName().values().stream()
                .sorted(Comparator.comparing(Plan::name))
                .forEach(plan -> append(text, plan, limits.plans().byDefault()));
        if (!limits.plans().claimed().isEmpty()) {
            text.append(new ReportLine("plan-from")
                    .addAll(limits.plans().claimed().stream()
                            .map(SubjectSource::name)
                            .toList())
                    .line());
        }
        Plans.Directory directory = limits.plans().directory();
        if (directory != null) {
            text.append(new ReportLine("directory")
                    .add(directory.subject())
                    .add(directory.from())
                    .line());
            directory
                    .clients()
                    .listed(MOST_OF_TABLE)
                    .forEach(client -> text.append(new ReportLine("listed")
                            .add(client.key())
                            .add(client.plan())
                            .add(client.name())
                            .line()));
        }
        return new ReportedLimits(text.toString());
    }

    private static void append(StringBuilder text, Endpoint endpoint) {
        text.append(new ReportLine("endpoint")
                .add(endpoint.id())
                .add(endpoint.mode().name())
                .add(
                        endpoint.pathPatterns().isEmpty()
                                ? ""
                                : endpoint.pathPatterns().get(0))
                .add(endpoint.cost().name())
                .add(endpoint.cost().settling().name())
                .line());
        text.append(new ReportLine("methods")
                .addAll(endpoint.methods().stream().sorted().toList())
                .line());
        if (endpoint.pathPatterns().size() > 1) {
            text.append(
                    new ReportLine("patterns").addAll(endpoint.pathPatterns()).line());
        }
        if (!endpoint.except().isEmpty()) {
            text.append(new ReportLine("except").addAll(endpoint.except()).line());
        }
        if (endpoint.on() != null) {
            text.append(new ReportLine("on").add(endpoint.on()).line());
        }
        text.append(new ReportLine("per").addAll(endpoint.per()).line());
        text.append(new ReportLine("statuses")
                .addAll(endpoint.countedStatuses().stream()
                        .sorted()
                        .map(String::valueOf)
                        .toList())
                .line());
        if (endpoint.countsFailedLogins()) {
            text.append(new ReportLine("counts").add(FAILED_LOGINS).line());
        }
        endpoint.tiers().forEach(tier -> append(text, tier));
    }

    private static void append(StringBuilder text, Client client) {
        text.append(new ReportLine("client")
                .add(String.valueOf(client.exempt()))
                .add(client.multiply().toPlainString())
                .add(client.mode() == null ? "" : client.mode().name())
                .add(client.plan())
                .add(client.displayName())
                .line());
        client.who()
                .forEach((subject, values) -> text.append(
                        new ReportLine("who").add(subject).addAll(values).line()));
        append(text, client.endpoints());
    }

    private static void append(StringBuilder text, Plan plan, String byDefault) {
        text.append(new ReportLine("plan")
                .add(plan.name())
                .add(String.valueOf(plan.exempt()))
                .add(plan.multiply().toPlainString())
                .add(plan.mode() == null ? "" : plan.mode().name())
                .add(String.valueOf(plan.name().equals(byDefault)))
                .line());
        append(text, plan.endpoints());
    }

    private static void append(StringBuilder text, Map<String, List<Tier>> endpoints) {
        endpoints.entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(own -> {
            text.append(new ReportLine("at").add(own.getKey()).line());
            own.getValue().forEach(tier -> append(text, tier));
        });
    }

    private static void append(StringBuilder text, Tier tier) {
        List<String> figures = TierFigures.of(tier);
        text.append(new ReportLine("tier").add(tier.name()).addAll(figures).line());
    }

    /** A hash that identifies the text. */
    public String digest() {
        return Sha256.hex(text);
    }
}
