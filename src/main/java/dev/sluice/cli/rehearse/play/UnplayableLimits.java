package dev.sluice.cli.rehearse.play;

import dev.sluice.Cost.Settling;
import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds limits that a service would apply differently, because logs lack what they need. For one thread. */
final class UnplayableLimits {

    private final Limits limits;
    private boolean hasDurations;
    private boolean hasStatuses;
    private boolean hasCharges;

    UnplayableLimits(Limits limits) {
        this.limits = limits;
    }

    /** Notes what the log has of a call. */
    void look(LoggedCall call) {
        hasDurations |= call.durationMillis() > 0;
        hasStatuses |= call.status() > 0;
        hasCharges |= call.charge() >= 0;
    }

    /** A sentence for each endpoint and each thing. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        Plans.Directory directory = limits.plans().directory();
        if (directory != null && directory.clients() == ClientDirectory.EMPTY) {
            sentences.add(
                    "clients: the ClientSource of the application cannot be asked here, so its clients are played as if "
                            + "it knew nobody, by planFrom and defaultPlan; rehearse a table of them, from: \"file:clients.csv\"");
        }
        for (Endpoint endpoint : limits.endpoints()) {
            if (endpoint.on() != null) {
                sentences.add(
                        endpoint.id() + ": it limits calls of the application's methods, which are not in the log");
                continue;
            }
            if (hasTier(endpoint, tier -> tier.overage() instanceof Overage.Elastic)) {
                sentences.add(endpoint.id() + ": elastic tiers are played as on a machine that is idle; a busy one "
                        + "refuses what is beyond the threshold");
            }
            if (!hasCharges && endpoint.cost().charged()) {
                sentences.add(endpoint.id() + ": what the application charges after a call is not in the log, so "
                        + "nothing is charged and none refused; name its field with --field charge=KEY");
            }
            if (!hasCharges && endpoint.cost().reserved()) {
                sentences.add(endpoint.id() + ": what calls cost in the end is not in the log, so each "
                        + (endpoint.cost().settling() == Settling.KEEP ? "keeps" : "gives back")
                        + " what it reserved; name its field with --field charge=KEY");
            }
            if (hasTier(endpoint, tier -> tier.limit().hasQueue())) {
                sentences.add(endpoint.id() + ": calls in the queue go on at their turn; those are not played that a "
                        + "server refuses because too many wait there, or that their callers give up");
            }
            if (!hasDurations && hasTier(endpoint, tier -> !tier.limit().hasPeriod())) {
                sentences.add(endpoint.id() + ": the log has no durations, so calls end as they begin and concurrency "
                        + "refuses none; write $request_time or %D into the format");
            }
            if (endpoint.countsFailedLogins()) {
                sentences.add(endpoint.id() + ": the log does not tell which logins failed, so none counts and none is "
                        + "refused; rehearse it with count: { status: [ 401 ] }, or whatever the service answers");
            }
            if (!hasStatuses && !endpoint.countedStatuses().isEmpty()) {
                sentences.add(endpoint.id() + ": the log has no statuses, so all calls count");
            }
        }
        return sentences;
    }

    /** Also where a client or a plan alone has such a tier. */
    private boolean hasTier(Endpoint endpoint, Predicate<Tier> is) {
        return endpoint.tiers().stream().anyMatch(is)
                || Stream.concat(
                                limits.clients().stream().map(Client::endpoints),
                                limits.plans().byName().values().stream().map(Plan::endpoints))
                        .flatMap(own -> own.getOrDefault(endpoint.id(), List.of()).stream())
                        .anyMatch(is);
    }
}
