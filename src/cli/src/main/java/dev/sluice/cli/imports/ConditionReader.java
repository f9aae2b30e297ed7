package dev.sluice.cli.imports;

import dev.sluice.cli.imports.Term.Kind;
import dev.sluice.internal.config.yaml.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts conditions to terms that a call must meet. Also converts {@code execute-predicates} and
 * {@code skip-predicates}, such as {@code PATH=/a,/b} and {@code METHOD=GET}. If terms cannot express a condition, the
 * result is {@code null}.
 */
final class ConditionReader {

    private static final Pattern METHOD = Pattern.compile("(getMethod\\(\\)|method)(\\.name\\(\\))?");
    private static final Pattern EQUALS = Pattern.compile("(?s)(.*)\\.equals(IgnoreCase)?\\((.*)\\)");
    private static final Pattern PATH = Pattern.compile(
            "(?:(getRequestURI\\(\\)|requestURI)|getServletPath\\(\\)|servletPath)\\.(startsWith|equals)\\('([^'*{}?]+)'\\)");
    private static final Pattern ALWAYS = Pattern.compile("true|1\\s*(==|eq)\\s*1");

    private static final Pattern STATUS = Pattern.compile("(?:getStatus\\(\\)|status)\\s*(?:==|eq)\\s*([1-5]\\d\\d)");
    private static final Pattern STATUS_FROM = Pattern.compile("(?:getStatus\\(\\)|status)\\s*(?:>=|ge)\\s*([2-5])00");

    private ConditionReader() {}

    /** Returns the terms that must all be met for the condition to be true; empty if it is always true. */
    static @Nullable List<Term> of(String expression) {
        String inner = Expressions.withoutBrackets(expression.strip());
        if (ALWAYS.matcher(inner).matches()) {
            return List.of();
        }
        List<String> alternatives = Expressions.split(inner, "||", "or");
        if (alternatives.size() > 1) {
            return either(alternatives);
        }
        List<Term> all = new ArrayList<>();
        List<String> parts = Expressions.split(inner, "&&", "and");
        for (String part : parts) {
            List<Term> terms = parts.size() > 1 ? of(part) : single(part);
            if (terms == null) {
                return null;
            }
            all.addAll(terms);
        }
        return all;
    }

    /** Returns the terms that must all be met for the condition to be false. */
    static @Nullable List<Term> not(String expression) {
        List<Term> all = new ArrayList<>();
        for (String alternative : Expressions.split(Expressions.withoutBrackets(expression.strip()), "||", "or")) {
            Term term = Term.only(of(alternative));
            Term negated = term == null ? null : term.negated();
            if (negated == null) {
                return null;
            }
            all.add(negated);
        }
        return all;
    }

    /** Reads alternatives. They must all be methods, or all be values of the same source. */
    private static @Nullable List<Term> either(List<String> alternatives) {
        List<String> values = new ArrayList<>();
        Term first = null;
        for (String alternative : alternatives) {
            Term term = Term.only(of(alternative));
            if (term == null || (term.kind() != Kind.METHOD && term.kind() != Kind.IS)) {
                return null;
            }
            if (first != null && (first.kind() != term.kind() || !first.source().equals(term.source()))) {
                return null;
            }
            first = term;
            values.addAll(term.values());
        }
        return first == null ? null : List.of(new Term(first.kind(), first.source(), values));
    }

    private static @Nullable List<Term> single(String expression) {
        if (expression.startsWith("!") || expression.startsWith("not ")) {
            return not(expression.substring(expression.startsWith("!") ? 1 : 4));
        }
        Matcher path = PATH.matcher(Expressions.plain(expression));
        if (path.matches()) {
            return path(path);
        }
        Matcher equal = EQUALS.matcher(Expressions.plain(expression));
        if (equal.matches()) {
            List<Term> terms = compared(equal.group(1), equal.group(3), true);
            terms = terms != null ? terms : compared(equal.group(3), equal.group(1), true);
            Term term = Term.only(terms);
            // Values in "when" are case-sensitive, so a value cannot express equalsIgnoreCase.
            return term != null && term.kind() == Kind.IS && equal.group(2) != null ? null : terms;
        }
        // Tries "==" first, and then "!=". In both cases, the source can be on either side.
        for (boolean same : new boolean[] {true, false}) {
            List<String> sides =
                    same ? Expressions.split(expression, "==", "eq") : Expressions.split(expression, "!=", "ne");
            if (sides.size() == 2) {
                List<Term> terms = compared(sides.get(0), sides.get(1), same);
                return terms != null ? terms : compared(sides.get(1), sides.get(0), same);
            }
        }
        return null;
    }

    /**
     * Returns the pattern for paths that equal a text or start with it. A prefix can end in the middle of a segment, as
     * {@code /adm} does in {@code /admin/users}, so the pattern contains a {@code *} at that point.
     */
    private static @Nullable List<Term> path(Matcher path) {
        String text = path.group(3);
        String prefix = text.endsWith("/") ? text + "**" : text + "*/**";
        Kind kind = path.group(1) == null ? Kind.PATH : Kind.URI;
        return text.startsWith("/")
                ? List.of(new Term(kind, "", List.of(path.group(2).equals("equals") ? text : prefix)))
                : null;
    }

    private static @Nullable List<Term> compared(String left, String right, boolean same) {
        String plain = Expressions.plain(left);
        String constant = Expressions.constant(right);
        if (METHOD.matcher(plain).matches()) {
            return constant == null || !same
                    ? null
                    : List.of(new Term(Kind.METHOD, "", List.of(constant.toUpperCase(Locale.ROOT))));
        }
        String source = Expressions.source(left);
        if (source == null) {
            return null;
        }
        if (right.strip().equals("null")) {
            return List.of(Term.of(same ? Kind.ABSENT : Kind.PRESENT, source));
        }
        return constant == null || constant.contains("*") || constant.isEmpty() || !same
                ? null
                : List.of(new Term(Kind.IS, source, List.of(constant)));
    }

    /** The statuses of a {@code post-execute-condition}; {@code null} if {@code count.status} cannot express it. */
    static @Nullable List<String> statuses(String expression) {
        List<String> statuses = new ArrayList<>();
        for (String part : Expressions.split(Expressions.withoutBrackets(expression.strip()), "||", "or")) {
            Matcher exact = STATUS.matcher(Expressions.withoutBrackets(part));
            Matcher from = STATUS_FROM.matcher(Expressions.withoutBrackets(part));
            if (exact.matches()) {
                statuses.add(exact.group(1));
            } else if (from.matches()) {
                for (int hundreds = Integer.parseInt(from.group(1)); hundreds <= 5; hundreds++) {
                    statuses.add("\"" + hundreds + "xx\"");
                }
            } else {
                return null;
            }
        }
        return statuses;
    }

    /** Returns the predicates as they are written in the file. Each predicate is a text, or a map with a name. */
    static List<String> predicates(SpringSettings limit, String key) {
        List<String> written = new ArrayList<>();
        List<SpringSettings> maps = new ArrayList<>();
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

    /** Returns the terms that must be met for all predicates to be true; {@code null} if terms cannot express them. */
    static @Nullable List<Term> allOf(List<String> predicates) {
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

    /**
     * Returns the terms that must be met for at least one predicate to be false; {@code null} if terms cannot express
     * that.
     */
    static @Nullable List<Term> notAllOf(List<String> predicates) {
        Term only = Term.only(allOf(predicates));
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
            case "PATH" -> values.stream().allMatch(value -> value.matches("/[^?]*")) ? springPath(values) : null;
            case "QUERY" ->
                Term.of(Kind.PRESENT, "query:" + predicate.substring(equal + 1).strip());
            case "HEADER" -> header(values);
            default -> null;
        };
    }

    /**
     * Converts Spring's patterns. In Spring, {@code **} has the same meaning as {@code *} unless it is a whole segment.
     */
    private static Term springPath(List<String> patterns) {
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
