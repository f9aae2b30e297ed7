package dev.sluice.cli.imports.bucket4j;

import dev.sluice.cli.imports.bucket4j.Term.Kind;
import dev.sluice.cli.imports.draft.PathPatterns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads conditions as terms that a call has to meet; {@code null} if no terms can express them. */
final class ConditionReader {

    private static final Pattern METHOD = Pattern.compile("(getMethod\\(\\)|method)(\\.name\\(\\))?");
    private static final Pattern EQUALS = Pattern.compile("(?s)(.*)\\.equals(?:IgnoreCase)?\\((.*)\\)");
    private static final Pattern PATH = Pattern.compile(
            "(?:getRequestURI\\(\\)|requestURI|getServletPath\\(\\)|servletPath)\\.(startsWith|equals)\\('([^'*{}?]+)'\\)");
    private static final Pattern ALWAYS = Pattern.compile("true|1\\s*(==|eq)\\s*1");

    private static final Pattern STATUS = Pattern.compile("(?:getStatus\\(\\)|status)\\s*(?:==|eq)\\s*([1-5]\\d\\d)");
    private static final Pattern STATUS_FROM = Pattern.compile("(?:getStatus\\(\\)|status)\\s*(?:>=|ge)\\s*([2-5])00");

    private ConditionReader() {}

    /** The terms that all have to be met; empty if the condition is always true. */
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

    /** The terms that have to be met so that the condition is false. */
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

    /** Reads alternatives, if they are methods or values of one source. */
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
            List<Term> terms = compared(equal.group(1), equal.group(2), true);
            return terms != null ? terms : compared(equal.group(2), equal.group(1), true);
        }
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

    private static @Nullable List<Term> path(Matcher path) {
        PathPatterns choice =
                path.group(1).equals("equals") ? PathPatterns.glob(path.group(2)) : PathPatterns.prefix(path.group(2));
        return choice.patterns().isEmpty() ? null : List.of(new Term(Kind.PATH, "", choice.patterns()));
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
        return constant == null || constant.contains("*") || constant.isEmpty()
                ? null
                : List.of(new Term(same ? Kind.IS : Kind.IS_NOT, source, List.of(constant)));
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
}
