package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark.Kind;
import dev.sluice.cli.imports.envoy.DescriptorLimit.Entry;
import dev.sluice.cli.imports.source.ForeignSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the limits from the tree of descriptors of a domain. */
final class Descriptors {

    private static final Map<String, Duration> UNITS = Map.of(
            "second", Duration.ofSeconds(1),
            "minute", Duration.ofMinutes(1),
            "hour", Duration.ofHours(1),
            "day", Duration.ofDays(1),
            "week", Duration.ofDays(7),
            "month", Duration.ofDays(30),
            "year", Duration.ofDays(365));

    /** Settings for metrics and answers of the service, which change no decision. */
    private static final List<String> NOT_DECIDING = List.of("detailed_metric", "value_to_metric", "metadata");

    private final List<DescriptorLimit> limits = new ArrayList<>();
    private final Draft draft;

    Descriptors(Draft draft) {
        this.draft = draft;
    }

    List<DescriptorLimit> read(ForeignSettings root) {
        level(root, List.of());
        return limits;
    }

    private void level(ForeignSettings parent, List<Entry> path) {
        List<ForeignSettings> descriptors = parent.maps("descriptors");
        for (ForeignSettings descriptor : descriptors) {
            String key = descriptor.text("key");
            if (key == null) {
                descriptor.missing("the key \"key\" is missing");
                continue;
            }
            String value = descriptor.text("value", "");
            List<Entry> whole = new ArrayList<>(path);
            whole.add(new Entry(
                    key,
                    value,
                    descriptor.truth("share_threshold", false),
                    others(descriptors, key, value),
                    descriptor.position()));
            limit(descriptor, whole);
            level(descriptor, whole);
        }
    }

    private static Set<String> others(List<ForeignSettings> descriptors, String key, String value) {
        return descriptors.stream()
                .filter(other -> key.equals(other.text("key")))
                .map(other -> other.text("value", ""))
                .filter(other -> !other.isEmpty() && !other.equals(value))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private void limit(ForeignSettings descriptor, List<Entry> path) {
        for (String key : NOT_DECIDING) {
            if (descriptor.has(key)) {
                draft.remark(
                        Kind.LEFT_OUT,
                        descriptor.position(key),
                        "it changes no decision; here metrics name the endpoint and tier, and the page names callers");
            }
        }
        boolean shadow = descriptor.truth("shadow_mode", false);
        boolean quota = descriptor.truth("quota_mode", false);
        ForeignSettings limit = descriptor.map("rate_limit");
        String unknownSetting = unknownSetting(descriptor, limit);
        if (limit == null || limit.truth("unlimited", false)) {
            return;
        }
        Duration unit = limit.word(
                "unit",
                "",
                UNITS,
                " is not a unit of the service, which knows second, minute, hour, day, week, month and year");
        Long requests = limit.number("requests_per_unit");
        if (unit != null) {
            limits.add(new DescriptorLimit(
                    path,
                    requests == null ? 0 : requests,
                    unit,
                    shadow,
                    quota,
                    limit.text("name", ""),
                    limit.maps("replaces").stream()
                            .map(replaced -> replaced.text("name", ""))
                            .filter(name -> !name.isEmpty())
                            .toList(),
                    unknownSetting,
                    descriptor.position()));
        }
    }

    private static String unknownSetting(ForeignSettings descriptor, @Nullable ForeignSettings limit) {
        descriptor.has("descriptors");
        List<String> unknown = new ArrayList<>(descriptor.unread());
        if (limit != null) {
            limit.keys().stream()
                    .filter(key -> !Set.of("unit", "requests_per_unit", "unlimited", "name", "replaces")
                            .contains(key))
                    .forEach(unknown::add);
        }
        return unknown.isEmpty() ? "" : unknown.get(0);
    }
}
