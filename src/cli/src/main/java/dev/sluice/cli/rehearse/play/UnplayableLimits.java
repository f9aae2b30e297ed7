package dev.sluice.cli.rehearse.play;

import dev.sluice.Call;
import dev.sluice.Cost.Settling;
import dev.sluice.Endpoint;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.cli.rehearse.tally.EndpointTally;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.match.condition.DescribedCondition;
import dev.sluice.internal.match.path.ForwardingCall;
import dev.sluice.limits.ClientDirectory;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Overage;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Detects limits that a service would apply differently, because the logs lack data. Not thread-safe. */
final class UnplayableLimits {

    private static final String HEADER = "header:";
    private static final String FORWARDED_FOR = "X-Forwarded-For";

    private final Limits limits;
    private final List<Chain> chains = new ArrayList<>();
    /** Determines the caller's address; {@code null} if the limits do not need it. */
    private final @Nullable SubjectSource addresses;

    private boolean hasCalls;
    private boolean isForwarded;
    private boolean isBehindProxy;
    private boolean hasDurations;
    private boolean hasStatuses;
    private boolean hasCharges;

    /**
     * A chain of sources that the limits try in order. Records the first source that has yielded a value for any call.
     */
    private static final class Chain {
        /** The setting or the endpoint that uses the chain. */
        private final String place;

        private final List<SubjectSource> sources;
        /** Describes the consequences if the first sources yield no value for any call. */
        private final Function<Chain, String> effect;

        private int firstSeen;

        private Chain(String place, List<SubjectSource> sources, Function<Chain, String> effect) {
            this.place = place;
            this.sources = sources;
            this.effect = effect;
            this.firstSeen = sources.size();
        }
    }

    /** A call as the proxy in front of the service would forward it. */
    private record Forwarded(Call sent) implements ForwardingCall {

        private static final String FOR = "192.0.2.1";

        @Override
        public @Nullable String header(String name) {
            return name.equalsIgnoreCase(FORWARDED_FOR) ? FOR : null;
        }

        @Override
        public List<String> headers(String name) {
            return Stream.ofNullable(header(name)).toList();
        }
    }

    UnplayableLimits(Limits limits) {
        this.limits = limits;
        Plans.Directory directory = limits.plans().directory();
        Map<String, List<SubjectSource>> used = new TreeMap<>(limits.subjects());
        used.keySet()
                .removeIf(subject -> limits.endpoints().stream()
                                .noneMatch(endpoint -> endpoint.per().contains(subject))
                        && limits.clients().stream()
                                .noneMatch(client -> client.who().containsKey(subject))
                        && !(directory != null && directory.subject().equals(subject)));
        used.values()
                .removeIf(sources -> sources.stream().anyMatch(SubjectSources::isLogin)); // logs lack these user names
        used.forEach((subject, sources) -> chains.add(new Chain(subject, sources, this::keyedOtherwise)));
        chains.add(new Chain("clients", limits.plans().claimed(), chain -> ", which planFrom reads"));
        limits.endpoints().stream().filter(endpoint -> endpoint.on() == null).forEach(this::addConditionAndCost);
        addresses = limits.subjects().values().stream()
                .flatMap(Collection::stream)
                .filter(source -> SubjectSource.plainName(source.name()).equals("ip"))
                .findAny()
                .orElse(null);
    }

    private void addConditionAndCost(Endpoint endpoint) {
        for (DescribedCondition condition : DescribedCondition.of(endpoint.when())) {
            List<SubjectSource> logged = condition.chain().stream()
                    .filter(source -> !SubjectSource.plainName(source.name()).matches("(path|query):.*"))
                    .toList();
            chains.add(new Chain(endpoint.id(), logged, chain -> ", which its condition reads"));
        }
        String cost = endpoint.cost().name().split(" ", 2)[0]; // without the default
        if (cost.startsWith(HEADER)) {
            SubjectSource header = new SubjectSource(cost, call -> call.header(cost.substring(HEADER.length())));
            chains.add(new Chain(endpoint.id(), List.of(header), chain -> ", so each call has the default cost"));
        }
    }

    /** Records which data about a call the log contains. */
    void look(LoggedCall call) {
        hasCalls = true;
        hasDurations |= call.durationMillis() > 0;
        hasStatuses |= call.status() > 0;
        hasCharges |= call.charge() >= 0;
        isForwarded |= call.header(FORWARDED_FOR) != null || call.header("Forwarded") != null;
        // Reading the source is slow, so we stop reading it once a call has come from a proxy.
        isBehindProxy = isBehindProxy || (!isForwarded && isFromProxy(call));
        for (Chain chain : chains) {
            // Only sources that precede the first one with a value can still change the result. Typically, no such
            // sources remain after a few calls.
            for (int i = 0; i < chain.firstSeen; i++) {
                if (chain.sources.get(i).resolver().resolve(call) != null) {
                    chain.firstSeen = i;
                }
            }
        }
    }

    /** Whether the call comes from a trusted proxy. If so, only a header could identify the caller. */
    private boolean isFromProxy(LoggedCall call) {
        return addresses != null && Forwarded.FOR.equals(addresses.resolver().resolve(new Forwarded(call)));
    }

    /**
     * Returns sentences about all data that the logs lack. There is one sentence for each endpoint and each kind of
     * data, and one for each chain whose first sources yield no value for any call.
     */
    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        Plans.Directory directory = limits.plans().directory();
        if (directory != null && directory.clients() == ClientDirectory.EMPTY) {
            sentences.add("clients: rehearse cannot query the application's ClientSource, so clients get their plans "
                    + "from planFrom and defaultPlan; to rehearse them, write them to a table, from:"
                    + " \"file:clients.csv\"");
        }
        if (isBehindProxy && !isForwarded) {
            String missing = HEADER + FORWARDED_FOR;
            sentences.add("ip: calls come from trustedProxies, but none in the log has " + missing
                    + ", so callers behind a proxy count as one" + hint(List.of(missing)));
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
                add.accept("elastic tiers are played as on an idle machine; a busy machine refuses calls "
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
                add.accept("queued calls proceed in turn; a server might refuse some of them because "
                        + "too many are queued on threads, and callers might give up");
            }
            if (!hasDurations && hasTier(endpoint, tier -> !tier.limit().hasPeriod())) {
                add.accept("the log has no durations, so calls end when they begin, and concurrency "
                        + "limits refuse no calls; add $request_time or %D to the format");
            }
            if (SubjectSources.isLogin(endpoint.per(), limits.subjects())) {
                add.accept("the log contains no user names of logins, so no login counts or is refused; to see "
                        + "how often one address fails, rehearse it with per: [ ip ] and count: { status: [ 401 ] }, "
                        + "or the status that the service sends");
            } else if (endpoint.countsFailedLogins()) {
                add.accept("the log does not show which logins failed, so no login counts or is "
                        + "refused; rehearse it with count: { status: [ 401 ] }, or the status that the service sends");
            }
            if (!hasStatuses && !endpoint.countedStatuses().isEmpty()) {
                add.accept("the log has no statuses, so all calls count");
            }
        }
        return sentences;
    }

    private boolean hasTier(Endpoint endpoint, Predicate<Tier> is) {
        return EndpointTally.tiersOf(endpoint, limits).anyMatch(is);
    }

    /** Returns a sentence that lists the sources that yield no value for any call, and describes the consequences. */
    private static String sentence(Chain chain) {
        List<String> missing = chain.sources.subList(0, chain.firstSeen).stream()
                .map(source -> SubjectSource.plainName(source.name()))
                .toList();
        return chain.place + ": no call in the log has " + String.join(" or ", missing) + chain.effect.apply(chain)
                + hint(missing);
    }

    private String keyedOtherwise(Chain chain) {
        boolean hasOther = chain.firstSeen < chain.sources.size();
        boolean hasClients =
                !limits.clients().isEmpty() || !limits.plans().byName().isEmpty();
        return ", so all calls "
                + (hasOther
                        ? "are keyed by "
                                + SubjectSource.plainName(
                                        chain.sources.get(chain.firstSeen).name())
                        : "count as those of one caller")
                + (hasClients ? ", and its clients and plans are not applied" : "");
    }

    private static String hint(List<String> missing) {
        return missing.stream()
                .filter(name -> name.startsWith(HEADER))
                .map(name -> name.substring(HEADER.length()))
                .map(name ->
                        "; add %{" + name + "}i (Apache) or $http_" + variable(name) + " (nginx) to the log's format")
                .limit(1)
                .collect(Collectors.joining());
    }

    private static String variable(String header) {
        return header.toLowerCase(Locale.ROOT).replace('-', '_');
    }
}
