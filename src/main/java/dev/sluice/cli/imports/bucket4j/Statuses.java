package dev.sluice.cli.imports.bucket4j;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Statuses of answers: those that a {@code post-execute-condition} is about, and names of the one of a refusal. */
final class Statuses {

    private static final Pattern EXACT = Pattern.compile("(?:getStatus\\(\\)|status)\\s*(?:==|eq)\\s*([1-5]\\d\\d)");
    private static final Pattern FROM = Pattern.compile("(?:getStatus\\(\\)|status)\\s*(?:>=|ge)\\s*([2-5])00");
    private static final Map<String, Integer> NAMES = Map.of(
            "TOO_MANY_REQUESTS", 429,
            "SERVICE_UNAVAILABLE", 503,
            "FORBIDDEN", 403,
            "UNAUTHORIZED", 401,
            "BAD_REQUEST", 400,
            "CONFLICT", 409,
            "BANDWIDTH_LIMIT_EXCEEDED", 509,
            "LOCKED", 423,
            "NOT_ACCEPTABLE", 406);

    private Statuses() {}

    /** As {@code count.status} has them; {@code null} if they cannot be expressed so. */
    static @Nullable List<String> counted(String expression) {
        List<String> statuses = new ArrayList<>();
        for (String part : Expressions.split(Expressions.withoutBrackets(expression.strip()), "||", "or")) {
            Matcher exact = EXACT.matcher(Expressions.withoutBrackets(part));
            Matcher from = FROM.matcher(Expressions.withoutBrackets(part));
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

    /** The number of a status that a refusal can have; {@code null} if it is none. */
    static @Nullable Integer number(String written) {
        String word = written.strip().toUpperCase(Locale.ROOT).replace('-', '_');
        Integer named = NAMES.get(word);
        return named != null ? named : word.matches("[45]\\d\\d") ? Integer.valueOf(word) : null;
    }
}
