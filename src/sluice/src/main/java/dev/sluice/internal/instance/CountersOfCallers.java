package dev.sluice.internal.instance;

import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.Subject;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.internal.limiter.endpoint.NamedCaller;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.CallerCounters;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.limits.Plans;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds a caller's counters by the endpoint ids and subjects named in the file. Suggests corrections for misspelt
 * names. Thread-safe.
 */
public record CountersOfCallers(CountingRateLimiter limiter) implements CallerCounters {

    /** Passes the limiter's counters to the listeners that read them. */
    public static void give(List<RateLimitListener> listeners, CountingRateLimiter limiter) {
        for (RateLimitListener listener : listeners) {
            if (listener instanceof Reader reader) {
                reader.read(new CountersOfCallers(limiter));
            }
        }
    }

    @Override
    public List<Found> find(String endpoint, Map<String, String> caller) {
        Limits limits = limiter.limits();
        Endpoint found = limits.endpoints().stream()
                .filter(one -> one.id().equals(endpoint))
                .findFirst()
                .orElseThrow(() -> unknown(endpoint, limits));
        refuseUnknown(found, caller, limits);
        refuseMissing(found, caller, limits);
        refuseNone(caller, limits);
        refuseNoAddresses(caller, limits);
        Map<String, String> values = new LinkedHashMap<>(caller);
        String plan = values.remove(ClientOverride.PLAN);
        return List.copyOf(limiter.countersOf(found, new NamedCaller(values, plan == null ? "" : plan)));
    }

    @Override
    public void forget() {
        limiter.forget();
    }

    private static IllegalArgumentException unknown(String endpoint, Limits limits) {
        Set<String> ids = limits.endpoints().stream().map(Endpoint::id).collect(Collectors.toCollection(TreeSet::new));
        return new IllegalArgumentException("no enabled endpoint has the id \"" + endpoint + '"'
                + question(endpoint, ids) + "; the enabled endpoints are " + String.join(", ", ids));
    }

    private static String question(String word, Set<String> known) {
        String near = Nearest.to(word, known);
        return near == null ? "" : " (did you mean " + near + "?)";
    }

    /**
     * Rejects unknown subjects. A caller can be identified by the endpoint's subjects and by the subjects that identify
     * clients.
     */
    private static void refuseUnknown(Endpoint endpoint, Map<String, String> caller, Limits limits) {
        Plans plans = limits.plans();
        Plans.Directory directory = plans.directory();
        Set<String> known = new TreeSet<>(endpoint.per());
        Stream.concat(limits.clients().stream(), limits.overrides().stream())
                .filter(client -> client.overriddenPlan() == null)
                .map(Client::who)
                .forEach(who -> known.addAll(who.keySet()));
        if (directory != null) {
            known.add(directory.subject());
        }
        if (!plans.claimed().isEmpty()) {
            known.add(ClientOverride.PLAN);
        }
        for (String name : caller.keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("endpoint " + endpoint.id() + " is not keyed by \"" + name + '"'
                        + question(name, known) + "; " + howToName(endpoint, limits));
            }
        }
    }

    private static void refuseMissing(Endpoint endpoint, Map<String, String> caller, Limits limits) {
        for (String name : needed(endpoint, limits)) {
            if (!caller.containsKey(name)) {
                throw new IllegalArgumentException("endpoint " + endpoint.id() + " is keyed by " + name
                        + ", which is missing; " + howToName(endpoint, limits));
            }
        }
    }

    /**
     * Rejects the value "none". Reports show a missing value as "none", so "none" would be ambiguous as a caller's
     * name.
     */
    private static void refuseNone(Map<String, String> caller, Limits limits) {
        caller.forEach((name, value) -> {
            if (value.equals(Subject.NONE) && limits.subjects().containsKey(name)) {
                throw new IllegalArgumentException('"' + name + '=' + value
                        + "\" names a caller called none; for callers without " + name + " write \"" + name + "=\"");
            }
        });
    }

    private static void refuseNoAddresses(Map<String, String> caller, Limits limits) {
        caller.forEach((name, value) -> {
            List<SubjectSource> chain = limits.subjects().getOrDefault(name, List.of());
            boolean isAddress = chain.size() == 1 && chain.get(0).name().equals("ip");
            if (isAddress && !SubjectKey.isAddress(chain, value)) {
                throw new IllegalArgumentException(
                        '"' + name + '=' + value + "\" is not an address; write one such as " + name + "=192.0.2.1");
            }
        });
    }

    private static String howToName(Endpoint endpoint, Limits limits) {
        List<String> needed = needed(endpoint, limits);
        return needed.isEmpty()
                ? "it counts all callers together, so do not name a caller"
                : "name the caller as in "
                        + needed.stream()
                                .map(name -> '"' + name + '=' + (name.equals("ip") ? "192.0.2.1" : "acme") + '"')
                                .collect(Collectors.joining(", "));
    }

    /** The subjects of an endpoint, except those whose value is this instance's name. */
    private static List<String> needed(Endpoint endpoint, Limits limits) {
        return endpoint.per().stream()
                .filter(name -> limits.subjects().getOrDefault(name, List.of()).stream()
                        .anyMatch(source -> !source.name().equals(Subject.SERVER)))
                .toList();
    }
}
