package dev.sluice.cli.rehearse.suggest;

import static java.util.Objects.requireNonNull;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.cli.rehearse.play.MatchingEndpoints;
import dev.sluice.cli.rehearse.play.Player;
import dev.sluice.cli.rehearse.tally.LogTally;
import dev.sluice.internal.config.tier.TierNotation;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import dev.sluice.tier.Windows;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Suggests limits for the traffic in logs. Reads the logs several times to find the callers, the paths, and the demand
 * for each path, and finally to rehearse the suggested limits.
 */
public final class Suggester {

    private static final int MOST_GROUPS = 12;
    private static final int MOST_NAMED = 3;
    /**
     * The precision of a factor. Factors are rounded up, because the product of a factor and a threshold is rounded
     * down.
     */
    private static final MathContext DIGITS = new MathContext(30, RoundingMode.UP);

    private static final long FEWEST_CALLS = 20;
    /** A group gets its own limit only if it receives at least one call out of this number. */
    private static final int ONE_IN = 500;

    /** If the logs cover fewer of a limit's periods than this, they are too short to justify a lower threshold. */
    private static final int FEWEST_PERIODS = 7;

    /** A tier that never refuses a call. Its period is short, so that the counters of idle callers are soon removed. */
    private static final Tier ANYTHING =
            new Tier("any", new Limit.FixedWindow(Limit.MAX_THRESHOLD, Duration.ofSeconds(1)));

    private final Supplier<Logs> logs;
    private final Limits limits;
    private final String title;
    private final Function<String, Limits> reader;
    private final Visitors visitors = new Visitors();
    private boolean knowsTenants;
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis = Long.MIN_VALUE;

    /**
     * Reads the logs for the first time to find crawlers and scanners.
     *
     * @param logs a supplier that opens the logs again for each pass
     * @param limits the limits that define how callers are identified
     * @param title the comments at the beginning of the file
     * @param reader a function that parses the limits in the text of a file
     */
    public Suggester(Supplier<Logs> logs, Limits limits, String title, Function<String, Limits> reader) {
        this.logs = logs;
        this.limits = limits;
        this.title = title;
        this.reader = reader;
        read(call -> {
            visitors.see(call);
            firstMillis = Math.min(firstMillis, call.startMillis());
            lastMillis = Math.max(lastMillis, call.startMillis());
            knowsTenants |= call.header("X-Org-Id") != null;
        });
        visitors.finish();
    }

    /** Returns a new file with endpoints for the most frequently called paths. */
    public String invented() {
        CalledPaths paths = new CalledPaths();
        read(call -> {
            if (isUsualAndNoFile(call)) {
                paths.add(call);
            }
        });
        long fewest = Math.max(FEWEST_CALLS, paths.calls() / ONE_IN);
        List<PathGroup> groups = PathGroup.withIds(paths.groups().stream()
                .filter(one -> one.calls() >= fewest)
                .limit(MOST_GROUPS)
                .toList());
        String per = knowsTenants ? "tenant" : "ip";
        Map<PathGroup, CallerDemand> demands = demands(groups, per);
        demands.values().removeIf(demand -> demand.callers() == 1); // health probes, for example
        if (demands.isEmpty()) {
            throw new CommandFailure(
                    "no path in the logs has enough calls of more than one caller to suggest a limit for it");
        }
        long limited = demands.keySet().stream().mapToLong(PathGroup::calls).sum();
        long unlimited = paths.calls() - limited;
        String others = unlimited == 0 ? "" : "# Other paths have no limit: " + CountText.of(unlimited, "call") + ".\n";
        SuggestedFile file =
                new SuggestedFile(title + visitors.remarks() + visitors.remarkOnFiles() + others, per, demands);
        return file.yaml(refusals(file.yaml(Map.of())));
    }

    private Map<PathGroup, CallerDemand> demands(List<PathGroup> groups, String per) {
        Map<PathGroup, CallerDemand> demands = new LinkedHashMap<>();
        Map<String, CallerDemand> byId = new HashMap<>();
        List<Endpoint> endpoints = new ArrayList<>();
        for (PathGroup group : groups) {
            CallerDemand demand = new CallerDemand(FittedLimit.WINDOWS);
            demands.put(group, demand);
            byId.put(group.id(), demand);
            endpoints.add(new Endpoint(
                    group.id(),
                    Set.of(group.method()),
                    group.pattern(),
                    List.of(per),
                    Mode.DRY_RUN,
                    List.of(ANYTHING)));
        }
        play(withEndpoints(endpoints), (call, nowMillis, decisions) -> {
            if (isUsualAndNoFile(call)) {
                decisions.forEach((endpoint, decision) ->
                        requireNonNull(byId.get(endpoint)).add(decision.subjects(), nowMillis, 1));
            }
        });
        return demands;
    }

    /** Returns the same file with fitted thresholds. */
    public String fitted(String yaml) {
        Map<String, Endpoint> endpoints = new LinkedHashMap<>();
        Map<String, CallerDemand> demands = new HashMap<>();
        for (Endpoint endpoint : limits.endpoints()) {
            endpoints.put(endpoint.id(), endpoint);
            demands.put(endpoint.id(), new CallerDemand(periods(endpoint)));
        }
        CalledPaths unmatched = new CalledPaths();
        Limits counting = withEndpoints(limits.endpoints().stream()
                .map(endpoint -> MatchingEndpoints.dryRunOf(endpoint, List.of(ANYTHING)))
                .toList());
        play(counting, (call, nowMillis, decisions) -> {
            if (!visitors.isUsual(call)) {
                return;
            }
            // A comment will name the paths without a limit, because users might have forgotten to limit one of them.
            if (decisions.isEmpty() && !Visitors.isStatic(call)) {
                unmatched.add(call);
            }
            decisions.forEach((id, decision) -> {
                Endpoint endpoint = requireNonNull(endpoints.get(id));
                long asked = LogTally.asked(endpoint, call, call.status(), call.charge());
                requireNonNull(demands.get(id)).add(decision.subjects(), nowMillis, asked);
            });
        });
        FittedFile file = new FittedFile(yaml);
        Map<String, List<String>> comments = new LinkedHashMap<>();
        endpoints.forEach((id, endpoint) -> comments.put(id, fit(endpoint, requireNonNull(demands.get(id)), file)));
        // The demands occupy a lot of memory, which the next pass over the logs might need.
        demands.clear();
        Map<String, RefusedCallers> refusals = refusals(file.yaml(Map.of()));
        comments.forEach((id, said) ->
                said.add(refusals.getOrDefault(id, new RefusedCallers()).sentence()));
        return title + visitors.remarks() + remark(unmatched) + file.yaml(comments);
    }

    /** Fits the tiers of an endpoint. Returns the reasons as comments. */
    private List<String> fit(Endpoint endpoint, CallerDemand demand, FittedFile file) {
        List<String> reasons = new ArrayList<>();
        if (endpoint.countsFailedLogins() || demand.calls() == 0) {
            reasons.add(
                    demand.calls() == 0
                            ? "These logs contain no calls to it, so nothing is changed."
                            : "Logs do not show which logins failed, so nothing is changed.");
            return reasons;
        }
        int window = 0;
        for (int i = 0; i < endpoint.tiers().size(); i++) {
            Tier tier = endpoint.tiers().get(i);
            if (tier.limit().periods() == null) {
                continue;
            }
            long inForce = tier.limit().threshold();
            long written = file.threshold(endpoint.id(), i);
            reasons.add(SuggestedFile.asked(demand, window, TierNotation.period(tier.limit())));
            long fit = threshold(tier.limit(), demand.usual(window), FittedLimit.least(endpoint, tier.limit()));
            if (written > 0 && fit < inForce && isLogShortFor(tier.limit())) {
                reasons.add("The logs are too short to lower this threshold.");
            } else if (written > 0) {
                file.fit(endpoint.id(), i, written == inForce ? fit : (fit * written + inForce - 1) / inForce);
            }
            window++;
        }
        return reasons;
    }

    /** Whether the logs cover only a few of the limit's periods. */
    private boolean isLogShortFor(Limit limit) {
        return lastMillis - firstMillis
                < FEWEST_PERIODS * requireNonNull(limit.periods()).longest().toMillis();
    }

    /** Returns the fitted threshold. It is at least {@code least}, unless the limit is already lower. */
    private static long threshold(Limit limit, long usual, long least) {
        long fit = Math.max(FittedLimit.threshold(usual), Math.min(limit.threshold(), least));
        BigDecimal factor = BigDecimal.valueOf(fit).divide(BigDecimal.valueOf(limit.threshold()), DIGITS);
        return limit.times(factor).threshold(); // a bucket cannot refill at every rate
    }

    private static List<Windows> periods(Endpoint endpoint) {
        return endpoint.tiers().stream()
                .map(tier -> tier.limit().periods())
                .filter(Objects::nonNull)
                .toList();
    }

    private static String remark(CalledPaths unmatched) {
        return unmatched.calls() == 0
                ? ""
                : "# No endpoint matches " + CountText.of(unmatched.calls(), "call") + ", most of them "
                        + unmatched.groups().stream()
                                .sorted(Comparator.comparingLong(PathGroup::calls)
                                        .reversed())
                                .limit(MOST_NAMED)
                                .map(one -> one.where() + " (" + one.calls() + ")")
                                .collect(Collectors.joining(", "))
                        + ".\n";
    }

    private Limits withEndpoints(List<Endpoint> endpoints) {
        return new Limits(
                endpoints, limits.subjects(), limits.caseSensitive(), limits.maximumCounters(), limits.responses());
    }

    /**
     * Finds the calls that the suggested limits refuse, by endpoint id. Does not run a complete rehearsal, because that
     * would store more data about each caller.
     */
    private Map<String, RefusedCallers> refusals(String suggested) {
        Map<String, RefusedCallers> refusals = new HashMap<>();
        play(
                reader.apply(suggested),
                (call, nowMillis, decisions) -> decisions.forEach(
                        (endpoint, decision) -> refusals.computeIfAbsent(endpoint, id -> new RefusedCallers())
                                .add(call, decision)));
        return refusals;
    }

    private void read(Consumer<LoggedCall> each) {
        try (Logs opened = logs.get()) {
            opened.play(each, () -> false);
        }
    }

    private boolean isUsualAndNoFile(LoggedCall call) {
        return visitors.isUsual(call) && !Visitors.isStatic(call);
    }

    /** Receives each call, with the endpoints' decisions by endpoint id. */
    private interface Decided {
        void by(LoggedCall call, long nowMillis, Map<String, Decision> decisions);
    }

    private void play(Limits playedTo, Decided decided) {
        try (Player player = new Player(playedTo)) {
            Map<String, Decision> decisions = new LinkedHashMap<>();
            read(call -> {
                decisions.clear();
                for (Decision decision : player.play(call)) {
                    Endpoint endpoint = decision.endpoint();
                    if (endpoint != null) {
                        decisions.put(endpoint.id(), decision);
                    }
                }
                decided.by(call, player.nowMillis(), decisions);
            });
        }
    }
}
