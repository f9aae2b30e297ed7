package dev.sluice.internal.config.tier;

import dev.sluice.internal.config.value.Durations;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Rejects tier keys that are written directly under an endpoint, and shows how to move them into a tier. */
public final class TierKeysOfEndpoint {

    private static final Set<String> FIGURES = Set.of("period", "threshold");
    private static final Set<String> OTHERS = AlgorithmKeys.ofAll();

    static {
        OTHERS.addAll(List.of("algorithm", "sync", "tolerance"));
        OTHERS.removeAll(FIGURES);
    }

    private TierKeysOfEndpoint() {}

    /**
     * Rejects the tier keys of an endpoint.
     *
     * @param endpoint the endpoint; all its keys except {@code tiers} have already been read
     * @return whether the endpoint has tier keys in place of {@code tiers}
     */
    public static boolean refuse(Section endpoint) {
        // An unknown key whose value is a list or a map is probably a misspelling of tiers.
        boolean hasTiers = endpoint.unread("tiers") != null
                || endpoint.others(Set.of()).stream().anyMatch(key -> !(endpoint.unread(key) instanceof Text));
        Map<String, String> found = new LinkedHashMap<>();
        for (String key : endpoint.others(Set.of())) {
            String meant = hasTiers || OTHERS.contains(key) ? key : Nearest.keyMeant(key, FIGURES);
            boolean isOfTier = meant != null && (FIGURES.contains(meant) || OTHERS.contains(meant));
            if (isOfTier && endpoint.unread(key) instanceof Text text && !text.isMissing()) {
                found.putIfAbsent(meant, key);
            }
        }
        if (found.keySet().stream().noneMatch(FIGURES::contains)) {
            return false;
        }
        String where = hasTiers ? "an item of tiers" : "a tier; write " + tiers(endpoint, found);
        for (String key : found.values()) {
            endpoint.misplaced(key, Quote.of(key) + " belongs in " + where);
            where = hasTiers ? where : "the same tier";
        }
        return !hasTiers;
    }

    /** The suggested {@code tiers}, with the values from the endpoint. */
    private static String tiers(Section endpoint, Map<String, String> found) {
        Map<String, String> values = new LinkedHashMap<>(Map.of("period", "10s"));
        values.put("threshold", "1000");
        WrittenRate rate = WrittenRate.of(endpoint.unread(found.getOrDefault("threshold", "")));
        found.forEach((meant, key) -> values.put(meant, written(endpoint, key, meant)));
        if (rate != null) {
            values.put("threshold", rate.calls());
            values.putAll(found.containsKey("period") ? Map.of() : Map.of("period", rate.period()));
        }
        return values.entrySet().stream()
                .map(value -> value.getKey() + ": " + value.getValue())
                .collect(Collectors.joining(", ", "tiers: [ { ", " } ]"));
    }

    private static String written(Section endpoint, String key, String meant) {
        if (!(endpoint.unread(key) instanceof Text text)) {
            return "";
        }
        boolean isPeriod = meant.equals("period") && !text.isSubstituted() && PeriodShape.unit(text) == null;
        return isPeriod && Durations.parse(text.content()) == null ? Durations.guess(text.content()) : text.asWritten();
    }
}
