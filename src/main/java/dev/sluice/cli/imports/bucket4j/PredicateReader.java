package dev.sluice.cli.imports.bucket4j;

import dev.sluice.cli.imports.bucket4j.Term.Kind;
import dev.sluice.cli.imports.source.ForeignSettings;
import dev.sluice.internal.config.yaml.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads {@code execute-predicates} and {@code skip-predicates} such as {@code PATH=/a,/b} and {@code METHOD=GET}. */
final class PredicateReader {

    private PredicateReader() {}

    /** The predicates as they are written: each a text, or a map with a name. */
    static List<String> written(ForeignSettings limit, String key) {
        List<String> written = new ArrayList<>();
        List<ForeignSettings> maps = new ArrayList<>();
        for (Value item : limit.items(key)) {
            if (item instanceof Value.Text text) {
                written.add(text.content());
            } else {
                maps = limit.maps(key);
            }
        }
        maps.forEach(map -> written.add(map.text("name", "")));
        return written;
    }

    /** The terms that have to be met so that all predicates are; {@code null} if no terms can express them. */
    static @Nullable List<Term> all(List<String> predicates) {
        List<Term> all = new ArrayList<>();
        for (String predicate : predicates) {
            Term term = term(predicate);
            if (term == null) {
                return null;
            }
            all.add(term);
        }
        return all;
    }

    /** The terms that have to be met so that not all predicates are; {@code null} if no terms can express that. */
    static @Nullable List<Term> notAll(List<String> predicates) {
        Term only = Term.only(all(predicates));
        Term negated = only == null ? null : only.negated();
        return predicates.isEmpty() ? List.of() : negated == null ? null : List.of(negated);
    }

    private static @Nullable Term term(String predicate) {
        int equal = predicate.indexOf('=');
        String name = equal < 0 ? "" : predicate.substring(0, equal).strip().toUpperCase(Locale.ROOT);
        List<String> values = Arrays.stream(predicate.substring(equal + 1).split(","))
                .map(String::strip)
                .toList();
        return switch (name) {
            case "METHOD" ->
                new Term(
                        Kind.METHOD,
                        "",
                        values.stream()
                                .map(value -> value.toUpperCase(Locale.ROOT))
                                .toList());
            case "PATH" -> values.stream().allMatch(value -> value.matches("/[^?]*")) ? path(values) : null;
            case "QUERY" ->
                Term.of(Kind.PRESENT, "query:" + predicate.substring(equal + 1).strip());
            case "HEADER" -> header(values);
            default -> null;
        };
    }

    /** In Spring's patterns, {@code **} means {@code *} unless it is a whole segment. */
    private static Term path(List<String> patterns) {
        return new Term(
                Kind.PATH,
                "",
                patterns.stream()
                        .map(pattern -> pattern.replaceAll("(?<=[^/*])\\*{2,}|\\*{2,}(?=[^/*])", "*"))
                        .toList());
    }

    private static @Nullable Term header(List<String> values) {
        String source = "header:" + values.get(0);
        if (values.size() == 1 || values.get(1).equals(".*")) {
            return Term.of(Kind.PRESENT, source);
        }
        String value = values.get(1).replaceFirst("^\\.\\*", "*").replaceFirst("\\.\\*$", "*");
        boolean literal = value.matches("\\*?[A-Za-z0-9 /;=_-]*\\*?");
        return values.size() == 2 && literal ? new Term(Kind.IS, source, List.of(value)) : null;
    }
}
