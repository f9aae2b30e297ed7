package dev.sluice.internal.config.keys;

import dev.sluice.Condition;
import dev.sluice.Endpoint;
import dev.sluice.internal.config.tier.TierNotation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Formats endpoints with the keys and values of the file, for programs that display limits. */
public final class EndpointNotation {

    private static final int CLASS = 100;

    private EndpointNotation() {}

    /**
     * Formats an endpoint, for example as
     * {@code {id=get-product, where=GET /product/*, methods=[GET], pathPattern=/product/*, per=[tenant],
     * mode=enforce, tiers=[…]}}.
     * Conditions are omitted, because they can contain secrets. The {@code conditional} key indicates that the endpoint
     * has conditions.
     */
    public static Map<String, Object> words(Endpoint endpoint) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("id", endpoint.id());
        words.put("where", endpoint.where());
        if (endpoint.on() == null) {
            words.put("methods", List.copyOf(new TreeSet<>(endpoint.methods())));
            words.put("pathPattern", oneOrMore(endpoint.pathPatterns()));
            if (!endpoint.except().isEmpty()) {
                words.put("except", endpoint.except());
            }
        } else {
            words.put("on", endpoint.on());
        }
        words.put("per", endpoint.per());
        words.put("mode", endpoint.mode().word());
        if (endpoint.when() != Condition.ALWAYS) {
            words.put("conditional", true);
        }
        if (endpoint.countsByAnswer()) {
            words.put("counts", counts(endpoint));
        }
        if (endpoint.cost().each() != 1) {
            words.put("cost", endpoint.cost().name());
        }
        if (endpoint.headers() != Endpoint.Headers.SHOWN) {
            words.put("headers", endpoint.headers().word());
        }
        words.put("tiers", endpoint.tiers().stream().map(TierNotation::words).toList());
        return words;
    }

    /** Formats a single pattern as a text, and several patterns as a list, as in the file. */
    public static Object oneOrMore(List<String> patterns) {
        return patterns.size() == 1 ? patterns.get(0) : patterns;
    }

    /** Returns the outcomes that count: {@code [login-failure]} or statuses; empty if all calls count. */
    private static List<String> counts(Endpoint endpoint) {
        return endpoint.countsFailedLogins() ? List.of("login-failure") : countedStatuses(endpoint);
    }

    /**
     * Returns the statuses that count, for example {@code [401, 5xx]}; empty if calls count regardless of their status.
     */
    public static List<String> countedStatuses(Endpoint endpoint) {
        List<String> words = new ArrayList<>();
        TreeSet<Integer> left = new TreeSet<>(endpoint.countedStatuses());
        while (!left.isEmpty()) {
            int first = left.first();
            var sameClass = left.subSet(first, first - first % CLASS + CLASS);
            words.add(sameClass.size() == CLASS ? first / CLASS + "xx" : String.valueOf(first));
            if (sameClass.size() == CLASS) {
                sameClass.clear();
            } else {
                left.pollFirst();
            }
        }
        return words;
    }
}
