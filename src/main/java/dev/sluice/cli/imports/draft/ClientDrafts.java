package dev.sluice.cli.imports.draft;

import dev.sluice.internal.match.text.Glob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@code clients} of the result: callers for whom an endpoint has other tiers. Only the first entry that matches a
 * call applies, so all entries must name one source, and no call may match two entries with different tiers. Not
 * thread-safe.
 */
final class ClientDrafts {

    private @Nullable String source;
    private final Map<String, Map<String, TierDraft>> byValue = new LinkedHashMap<>();

    ClientDrafts() {}

    /** Gives callers with this value a tier at an endpoint; returns whether the other entries allow that. */
    boolean give(String callerSource, String value, String endpoint, TierDraft tier) {
        boolean fits = (source == null || source.equals(callerSource))
                && byValue.keySet().stream().allMatch(other -> other.equals(value) || !overlap(other, value));
        Map<String, TierDraft> known = byValue.getOrDefault(value, Map.of());
        if (!fits || (known.containsKey(endpoint) && !tier.equals(known.get(endpoint)))) {
            return false;
        }
        source = callerSource;
        byValue.computeIfAbsent(value, any -> new LinkedHashMap<>()).put(endpoint, tier);
        return true;
    }

    /** Whether both are patterns that may match one value; exact values come before patterns, so they never clash. */
    private static boolean overlap(String one, String other) {
        if (!one.contains("*") || !other.contains("*")) {
            return false;
        }
        String start = one.substring(0, one.indexOf('*'));
        String otherStart = other.substring(0, other.indexOf('*'));
        return start.startsWith(otherStart) || otherStart.startsWith(start);
    }

    /** The section with an entry for each value, exact values first, and all tiers that apply to it; empty without any. */
    String yaml() {
        if (byValue.isEmpty()) {
            return "";
        }
        boolean hasUnlimited = byValue.values().stream().anyMatch(tiers -> tiers.containsValue(TierDraft.UNLIMITED));
        String remark =
                "A threshold of " + TierDraft.UNLIMITED.threshold() + " a second means no limit for such callers.";
        List<String> exactFirst = new ArrayList<>(byValue.keySet());
        exactFirst.sort(Comparator.comparing(value -> value.contains("*")));
        return exactFirst.stream()
                .map(this::entry)
                .collect(Collectors.joining("", (hasUnlimited ? YamlText.comment("", remark) : "") + "clients:\n", ""));
    }

    private String entry(String value) {
        Map<String, TierDraft> endpoints = new LinkedHashMap<>(byValue.getOrDefault(value, Map.of()));
        byValue.forEach((other, more) -> {
            if (other.contains("*") && Glob.isLike(value, other)) {
                more.forEach(endpoints::putIfAbsent);
            }
        });
        return entry(String.valueOf(source), value, endpoints);
    }

    /** One entry: a value of the source, with its tiers by endpoint. */
    static String entry(String source, String value, Map<String, TierDraft> endpoints) {
        StringBuilder entry = new StringBuilder("  - ")
                .append(YamlText.of(source))
                .append(": ")
                .append(YamlText.of(value))
                .append("\n    endpoints:\n");
        endpoints.forEach((id, tier) -> entry.append("      ")
                .append(id)
                .append(": [ ")
                .append(tier.yaml())
                .append(" ]\n"));
        return entry.toString();
    }
}
