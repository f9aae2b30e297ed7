package dev.sluice.cli.rehearse.play;

import dev.sluice.Cost.Settling;
import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.call.LoggedCall;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plan;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds limits that a service would apply differently, because the logs lack data. Not thread-safe. */
final class UnplayableLimits {

    private static final String HEADER = "header:";

    private final Limits limits;
    private final List<Chain> chains = new ArrayList<>();
    private boolean hasCalls;
    private boolean hasDurations;
    private boolean hasStatuses;
    private boolean hasCharges;

    /** The sources of one subject, and the first of them with a value in any call. */
    private static final class Chain {
        private final String subject;
        private final List<SubjectSource> sources;
        private int firstSeen;

        private Chain(String subject, List<SubjectSource> sources) {
            this.subject = subject;
            this.sources = sources;
            this.firstSeen = sources.size();
        }
    }

    UnplayableLimits(Limits limits) {
        this.limits = limits;
        Map<String, List<SubjectSource>> used = new TreeMap<>(limits.subjects());
        used.keySet()
                .removeIf(subject -> limits.endpoints().stream()
                                .noneMatch(endpoint -> endpoint.per().contains(subject))
                        && limits.clients().stream()
                                .noneMatch(client -> client.who().containsKey(subject)));
        used.forEach((subject, sources) -> chains.add(new Chain(subject, sources)));
    }

    /** Notes which data the log has about a call. */
    void look(LoggedCall call) {
        hasCalls = true;
        hasDurations |= call.durationMillis() > 0;
        hasStatuses |= call.status() > 0;
        hasCharges |= call.charge() >= 0;
        for (Chain chain : chains) {
            for (int i = 0; i < chain.firstSeen; i++) {
                if (chain.sources.get(i).resolver().resolve(call) != null) {
                    chain.firstSeen = i;
                }
            }
        }
    }

    /** A sentence for each endpoint and each thing, and for each subject with sources that are missing. */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        Plans.Directory directory = limits.plans().directory();
        if (directory != null && directory.clients() == ClientDirectory.EMPTY) {
            sentences.add(
                    "clients: rehearse cannot ask the application's ClientSource, so clients get their plans from planFrom "
                            + "and defaultPlan; to rehearse them, write them to a table, from: \"file:clients.csv\"");
        }
        chains.stream()
                .filter(chain -> hasCalls && chain.firstSeen > 0)
                .forEach(chain -> sentences.add(sentence(chain)));
        for (Endpoint endpoint : limits.endpoints()) {
            Consumer<String> add = sentence -> sentences.add(endpoint.id() + ": " + sentence);
            if (endpoint.on() != null) {
                add.accept("it limits calls of the application's methods, which the log does not contain");
                continue;
            }
            if (hasTier(endpoint, tier -> tier.overage() instanceof Overage.Elastic)) {
                add.accept("elastic tiers are played as on an idle machine; a busy one refuses calls "
                        + "beyond the threshold");
            }
            if (!hasCharges && endpoint.cost().charged()) {
                add.accept("the log does not contain what the application charges after a call, so "
                        + "no call is charged or refused; name its field with --field charge=KEY");
            }
            if (!hasCharges && endpoint.cost().reserved()) {
                add.accept("the log does not contain the final cost of calls, so each call "
                        + (endpoint.cost().settling() == Settling.KEEP ? "keeps" : "gives back")
                        + " its reservation; name its field with --field charge=KEY");
            }
            if (hasTier(endpoint, tier -> tier.limit().hasQueue())) {
                add.accept("queued calls proceed in turn; a server may refuse some of them because "
                        + "too many threads wait, and callers may give up");
            }
            if (!hasDurations && hasTier(endpoint, tier -> !tier.limit().hasPeriod())) {
                add.accept("the log has no durations, so calls end when they begin, and concurrency "
                        + "refuses none; add $request_time or %D to the format");
            }
            if (endpoint.countsFailedLogins()) {
                add.accept("the log does not say which logins failed, so none counts and none is "
                        + "refused; rehearse it with count: { status: [ 401 ] }, or the status that the service sends");
            }
            if (!hasStatuses && !endpoint.countedStatuses().isEmpty()) {
                add.accept("the log has no statuses, so all calls count");
            }
        }
        return sentences;
    }

    /** Looks at the tiers of clients and plans too. */
    private boolean hasTier(Endpoint endpoint, Predicate<Tier> is) {
        return endpoint.tiers().stream().anyMatch(is)
                || Stream.concat(
                                limits.clients().stream().map(Client::endpoints),
                                limits.plans().byName().values().stream().map(Plan::endpoints))
                        .flatMap(own -> own.getOrDefault(endpoint.id(), List.of()).stream())
                        .anyMatch(is);
    }

    /** Sources of a subject that no call has, so that calls count by others. */
    private String sentence(Chain chain) {
        List<String> missing = chain.sources.subList(0, chain.firstSeen).stream()
                .map(source -> SubjectSource.plainName(source.name()))
                .toList();
        boolean hasOther = chain.firstSeen < chain.sources.size();
        boolean hasClients =
                !limits.clients().isEmpty() || !limits.plans().byName().isEmpty();
        return chain.subject + ": no call in the log has " + String.join(" or ", missing) + ", so all calls count "
                + (hasOther
                        ? "by "
                                + SubjectSource.plainName(
                                        chain.sources.get(chain.firstSeen).name())
                        : "as those of one caller")
                + (hasClients ? ", and clients and plans by it are not played" : "")
                + missing.stream()
                        .filter(name -> name.startsWith(HEADER))
                        .map(name -> name.substring(HEADER.length()))
                        .map(name -> "; add %{" + name + "}i (Apache) or $http_" + variable(name)
                                + " (nginx) to the log's format")
                        .limit(1)
                        .collect(Collectors.joining());
    }

    private static String variable(String header) {
        return header.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
