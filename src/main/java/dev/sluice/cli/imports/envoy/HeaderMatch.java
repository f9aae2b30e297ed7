package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Requirement;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.Quote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Envoy's matchers for headers and query parameters require, as far as {@code when} can express it.
 *
 * @param unsupported sentences on requirements without a counterpart
 */
record HeaderMatch(Map<String, Requirement> requirements, List<String> methods, List<String> unsupported) {

    static HeaderMatch of(List<ForeignSettings> headers, List<ForeignSettings> queryParameters) {
        HeaderMatch match = new HeaderMatch(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
        for (ForeignSettings matcher : headers) {
            String name = matcher.text("name", "");
            String exact = exact(matcher);
            if (name.equals(":method") && exact != null && match.methods.isEmpty()) {
                match.methods.add(exact);
            } else {
                match.one(matcher, name.equals(":authority") ? "header:Host" : "header:" + name, name);
            }
        }
        for (ForeignSettings matcher : queryParameters) {
            String name = matcher.text("name", "");
            match.one(matcher, "query:" + name, name);
        }
        return match;
    }

    private void one(ForeignSettings matcher, String source, String name) {
        Requirement requirement = name.startsWith(":") && !name.equals(":authority") ? null : requirement(matcher);
        if (requirement == null || requirements.putIfAbsent(source, requirement) != null) {
            unsupported.add("Envoy also looks at " + Quote.of(name) + " (line "
                    + matcher.position().line() + "), in a way that \"when\" cannot express");
        }
    }

    private static @Nullable Requirement requirement(ForeignSettings matcher) {
        boolean invert = matcher.truth("invert_match", false);
        if (matcher.has("present_match")) {
            return matcher.truth("present_match", true) != invert ? Requirement.PRESENT : Requirement.ABSENT;
        }
        ForeignSettings string = matcher.map("string_match");
        boolean plain = string == null || !string.truth("ignore_case", false);
        String pattern = pattern(string == null ? matcher : string, string == null ? "_match" : "");
        boolean nothing = matcher.keys().stream().allMatch(key -> key.equals("name") || key.equals("invert_match"));
        if (nothing) {
            return invert ? Requirement.ABSENT : Requirement.PRESENT;
        }
        return invert || !plain || pattern == null ? null : Requirement.value(pattern);
    }

    private static @Nullable String exact(ForeignSettings matcher) {
        ForeignSettings string = matcher.map("string_match");
        return matcher.truth("invert_match", false)
                ? null
                : string == null ? matcher.text("exact_match") : string.text("exact");
    }

    private static @Nullable String pattern(ForeignSettings string, String suffix) {
        String exact = string.text("exact" + suffix);
        String prefix = string.text("prefix" + suffix);
        String end = string.text("suffix" + suffix);
        String part = string.text("contains" + suffix);
        String pattern = exact != null ? exact : prefix != null ? prefix + "*" : null;
        pattern = pattern == null && end != null ? "*" + end : pattern;
        return pattern == null && part != null ? "*" + part + "*" : pattern;
    }
}
