package dev.sluice.cli.rehearse.suggest;

import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.cli.rehearse.play.Player;
import dev.sluice.limits.Limits;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads logs three times: for the paths, for what is asked for of each, and to rehearse what comes of it. */
public final class Suggester {

    private static final int MOST_GROUPS = 30;
    private static final int MOST_METHODS = 16;
    private static final long FEWEST_CALLS = 20;
    /** Groups with less than this part of the calls get no limit of their own. */
    private static final int ONE_IN = 500;

    /** Refuses nobody; of a short period, so that counters of callers who are idle do not stay. */
    private static final Tier ANYTHING =
            new Tier("any", new Limit.FixedWindow(Limit.MAX_THRESHOLD, Duration.ofSeconds(1)));

    private final Supplier<Logs> logs;
    private final Limits limits;

    /** For these logs, which are opened anew each time, and callers as these limits find them. */
    public Suggester(Supplier<Logs> logs, Limits limits) {
        this.logs = logs;
        this.limits = limits;
    }

    /**
     * The file.
     *
     * @param yaml of the file that was rehearsed, whose head is taken over
     * @param title comments that the file begins with
     * @param reader makes limits of a file's text
     */
    public String yaml(String yaml, String title, Function<String, Limits> reader) {
        List<String> per = per();
        List<PathGroup> groups = groups();
        if (groups.isEmpty()) {
            throw new CommandFailure("there are too few calls in the logs to suggest limits for any path");
        }
        SuggestedFile suggestion = new SuggestedFile(FileHead.of(yaml), per, demands(groups, per));
        return suggestion.yaml(title, refusals(reader.apply(suggestion.yaml(title, Map.of()))));
    }

    /** By the endpoint's id, what the suggested limits refuse. A rehearsal would keep more of each caller. */
    private Map<String, Refusals> refusals(Limits suggested) {
        Map<String, Refusals> refusals = new HashMap<>();
        suggested.endpoints().forEach(endpoint -> refusals.put(endpoint.id(), new Refusals()));
        play(suggested, (endpoint, decision, nowMillis) -> {
            Refusals ofEndpoint = refusals.get(endpoint.id());
            if (ofEndpoint != null) {
                ofEndpoint.add(decision);
            }
        });
        return refusals;
    }

    /** Receives each decision of each call. */
    private interface Decided {
        void by(Endpoint endpoint, Decision decision, long nowMillis);
    }

    private void play(Limits playedTo, Decided decided) {
        try (Logs opened = logs.get();
                Player player = new Player(playedTo)) {
            opened.play(
                    call -> {
                        for (Decision decision : player.play(call)) {
                            Endpoint endpoint = decision.endpoint();
                            if (endpoint != null) {
                                decided.by(endpoint, decision, player.nowMillis());
                            }
                        }
                    },
                    () -> false);
        }
    }

    /** Whom the file that was rehearsed counts first of all. */
    private List<String> per() {
        return limits.endpoints().stream()
                .map(Endpoint::per)
                .filter(per -> !per.isEmpty() && !per.contains("server"))
                .findFirst()
                .orElse(List.of("tenant"));
    }

    private List<PathGroup> groups() {
        Map<String, PathTree> trees = new HashMap<>();
        long[] calls = new long[1];
        try (Logs opened = logs.get()) {
            opened.play(
                    call -> {
                        calls[0]++;
                        boolean isKnown = trees.containsKey(call.method()) || trees.size() < MOST_METHODS;
                        if (isKnown && !isOfUnknownPath(call.status())) {
                            trees.computeIfAbsent(call.method(), method -> new PathTree())
                                    .add(call.path());
                        }
                    },
                    () -> false);
        }
        Map<PathGroup, Long> sizes = new HashMap<>();
        trees.forEach((method, tree) ->
                tree.patterns().forEach((pattern, size) -> sizes.put(new PathGroup("", method, pattern), size)));
        long fewest = Math.max(FEWEST_CALLS, calls[0] / ONE_IN);
        return PathGroup.withIds(sizes.entrySet().stream()
                .filter(one ->
                        one.getValue() >= fewest && isStandard(one.getKey().method()))
                .sorted(Map.Entry.<PathGroup, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(one -> one.getKey().toString()))
                .limit(MOST_GROUPS)
                .map(Map.Entry::getKey)
                .toList());
    }

    /** Scanners make up paths that do not exist. */
    private static boolean isOfUnknownPath(int status) {
        return status == 400 || status == 404 || status == 405;
    }

    private static boolean isStandard(String method) {
        return Set.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS").contains(method);
    }

    private Map<PathGroup, CallerDemand> demands(List<PathGroup> groups, List<String> per) {
        Map<String, PathGroup> byId = new HashMap<>();
        Map<PathGroup, CallerDemand> demands = new LinkedHashMap<>();
        List<Endpoint> endpoints = new ArrayList<>();
        for (PathGroup group : groups) {
            byId.put(group.id(), group);
            demands.put(group, new CallerDemand());
            endpoints.add(new Endpoint(
                    group.id(), Set.of(group.method()), group.pattern(), per, Mode.DRY_RUN, List.of(ANYTHING)));
        }
        Limits counting = new Limits(
                endpoints, limits.subjects(), limits.caseSensitive(), limits.maximumCounters(), limits.responses());
        play(counting, (endpoint, decision, nowMillis) -> {
            CallerDemand demand = demands.get(byId.get(endpoint.id()));
            if (demand != null) {
                demand.add(decision.subjects(), nowMillis);
            }
        });
        return demands;
    }
}
