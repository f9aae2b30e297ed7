package dev.sluice.metrics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the metrics and labels of a PromQL expression, and finds those that do not exist. */
final class PromQl {

    private static final Pattern TOKEN = Pattern.compile(
            "\\s+|(?<string>\"(?:[^\"\\\\]|\\\\.)*\")|(?<range>\\[[0-9smhdy:]+])"
                    + "|(?<name>[a-zA-Z_][a-zA-Z0-9_:]*)|(?<number>[0-9.]+)|(?<sign>[-+*/%^(){},]|[=!]~|[=!><]=|[=><])");
    private static final Set<String> FUNCTIONS =
            Set.of("sum", "min", "max", "avg", "topk", "count", "rate", "increase", "max_over_time");
    private static final Set<String> GROUPINGS = Set.of("by", "without", "on", "ignoring", "group_left", "group_right");
    private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");

    private final Map<String, Set<String>> known;
    private final List<String> tokens = new ArrayList<>();
    private final List<String> mistakes = new ArrayList<>();
    private final Set<String> metrics = new TreeSet<>();
    private final Set<String> labels = new TreeSet<>();

    /**
     * Reads an expression.
     *
     * @param known the labels of all existing metrics, by name
     */
    PromQl(String expression, Map<String, Set<String>> known) {
        this.known = known;
        Matcher matcher = TOKEN.matcher(expression);
        int at = 0;
        while (matcher.lookingAt()) {
            if (!matcher.group().isBlank()) {
                tokens.add(matcher.group());
            }
            at = matcher.end();
            matcher.region(at, expression.length());
            if (at == expression.length()) {
                break;
            }
        }
        if (at < expression.length()) {
            mistakes.add("cannot be read from: " + expression.substring(at));
        }
        read();
    }

    /** The mistakes in the expression. */
    List<String> mistakes() {
        return mistakes;
    }

    /** The labels that its results are grouped by. */
    Set<String> labels() {
        return labels;
    }

    private void read() {
        Deque<String> open = new ArrayDeque<>();
        for (int i = 0; i < tokens.size(); i++) {
            String token = tokens.get(i);
            String next = i + 1 < tokens.size() ? tokens.get(i + 1) : "";
            if (token.equals("(")) {
                open.push(")");
            } else if (token.equals(")") && !")".equals(open.poll())) {
                mistakes.add("has too many )");
            } else if (Character.isLetter(token.charAt(0))) {
                i = readName(token, next, i);
            }
        }
        if (!open.isEmpty()) {
            mistakes.add("lacks " + open);
        }
        for (String label : labels) {
            if (metrics.stream().noneMatch(metric -> has(metric, label))) {
                mistakes.add("none of " + metrics + " has the label " + label);
            }
        }
        if (metrics.isEmpty()) {
            mistakes.add("names no metric");
        }
    }

    /** Reads a name and what belongs to it; returns the index of the next token. */
    private int readName(String name, String next, int at) {
        if (GROUPINGS.contains(name) && next.equals("(")) {
            int end = at + tokens.subList(at, tokens.size()).indexOf(")");
            tokens.subList(at + 2, end).stream()
                    .filter(word -> !word.equals(","))
                    .forEach(labels::add);
            return end;
        }
        if (OPERATORS.contains(name) || (FUNCTIONS.contains(name) && (next.equals("(") || GROUPINGS.contains(next)))) {
            return at;
        }
        metrics.add(name);
        if (!known.containsKey(name)) {
            mistakes.add("there is no metric " + name);
            return at;
        }
        return next.equals("{") ? readSelector(name, at + 2) : at;
    }

    private int readSelector(String metric, int from) {
        int at = from;
        while (at + 2 < tokens.size() && !tokens.get(at).equals("}")) {
            if (!has(metric, tokens.get(at))) {
                mistakes.add(metric + " has no label " + tokens.get(at));
            }
            at += tokens.get(at + 3).equals(",") ? 4 : 3;
        }
        return at;
    }

    /** Prometheus adds two labels of its own. */
    private boolean has(String metric, String label) {
        return label.equals("instance")
                || label.equals("job")
                || known.getOrDefault(metric, Set.of()).contains(label);
    }
}
