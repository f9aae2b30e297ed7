package dev.sluice.cli.imports;

import java.io.Serial;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Translates regular expressions for whole paths into patterns. It supports the constructs that are common in paths:
 * literals, alternatives, {@code .*}, and character classes that do not match slashes. Not thread-safe.
 */
final class RegexPaths {

    private static final int MOST_PATTERNS = 20;
    private static final int LONGEST = 1_000;

    /**
     * A placeholder in alternatives for any characters, including slashes. In contrast, {@code *} stands for any
     * characters within one segment.
     */
    private static final char ANYTHING = '\u0001';

    private static final int MOST_ALTERNATIVES = 100;
    private static final int DEEPEST = 10;
    private static final char END = 0;

    private final String regex;
    /** Notes about paths that the alternatives match, but the expression does not. */
    private final Set<String> broader = new LinkedHashSet<>();

    private int at;

    /**
     * The Sluice patterns for an expression.
     *
     * @param all the patterns, which together match all paths that the expression matches; empty if there are no such
     *     patterns
     * @param broader a description of additional paths that the patterns match; empty if there are none
     * @param also a description of further additional paths, which hardly matter; empty if there are none
     * @param problem the reason why there are no patterns; empty if there are patterns
     */
    record Patterns(List<String> all, String broader, String also, String problem) {

        private static Patterns none(String why) {
            return new Patterns(List.of(), "", "", why);
        }
    }

    private RegexPaths(String regex) {
        this.regex = regex;
    }

    static Patterns of(String regex) {
        if (regex.length() > LONGEST) {
            return Patterns.none("the expression is too long; write patterns by hand");
        }
        try {
            RegexPaths paths = new RegexPaths(regex);
            Set<String> patterns = new LinkedHashSet<>();
            Set<String> also = new LinkedHashSet<>();
            for (String alternative : paths.alternatives()) {
                patterns.add(pattern(alternative, also));
            }
            if (patterns.size() > MOST_PATTERNS) {
                return Patterns.none("it would need more than " + MOST_PATTERNS + " patterns; write them by hand");
            }
            also.removeAll(patterns);
            List<String> needed = new ArrayList<>(patterns);
            // The loader would warn about a pattern that is covered by a different one.
            needed.removeIf(one -> patterns.stream().anyMatch(other -> covers(other, one)));
            return new Patterns(needed, String.join(", ", paths.broader), String.join(", ", also), "");
        } catch (Unsupported e) {
            return Patterns.none(String.valueOf(e.getMessage()));
        }
    }

    /** Adds to {@code also} the paths that the pattern matches only because {@code /x/**} matches {@code /x}. */
    private static String pattern(String alternative, Set<String> also) throws Unsupported {
        String raw = alternative.replaceAll("\\*{2,}", "*").replaceAll("\u0001{2,}", "\u0001");
        String rooted = raw.isEmpty() || raw.charAt(0) == '/' ? raw : beginning(raw);
        if (rooted.matches("(?s).*[{}?;%#].*") || rooted.isEmpty()) {
            throw new Unsupported("no pattern can match the same paths; write one by hand");
        }
        StringBuilder pattern = new StringBuilder();
        String[] segments = rooted.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean isLast = i == segments.length - 1;
            if (isLast && segments[i].equals(String.valueOf(ANYTHING)) && i > 0) {
                also.add(pattern.toString());
            }
            pattern.append(segment(segments[i], isLast));
        }
        return pattern.toString().replaceAll("(/\\*\\*){2,}", "/**");
    }

    private static String beginning(String raw) throws Unsupported {
        if (raw.charAt(0) != ANYTHING) {
            throw new Unsupported("it does not begin with a slash like all paths, so it never matched");
        }
        return "/" + raw;
    }

    private static String segment(String segment, boolean isLast) throws Unsupported {
        int any = segment.indexOf(ANYTHING);
        if (any < 0) {
            return "/" + segment;
        }
        if (segment.length() == 1) {
            return "/**";
        }
        String remaining = segment.substring(1);
        if (any == 0 && remaining.indexOf(ANYTHING) < 0) {
            return "/**/*"
                    + (remaining.startsWith("*") ? remaining.substring(1) : remaining); // any path with this ending
        }
        if (isLast && any == segment.length() - 1) {
            String start = segment.substring(0, any);
            return "/" + start + (start.endsWith("*") ? "" : "*") + "/**"; // any path with this beginning
        }
        throw new Unsupported("its \".*\" within a segment also matches slashes; write a pattern by hand");
    }

    /** Whether a pattern that ends in {@code /**} matches all paths that a second pattern matches. */
    private static boolean covers(String all, String one) {
        if (all.equals(one) || !all.endsWith("/**")) {
            return false;
        }
        String start = all.substring(0, all.length() - 3);
        return !start.contains("*") && (one.equals(start) || one.startsWith(start + "/"));
    }

    /** Expands the alternatives: {@code /(a|b)/c} becomes {@code /a/c} and {@code /b/c}. */
    private List<String> alternatives() throws Unsupported {
        List<String> all = choice(0);
        if (at < regex.length()) {
            throw new Unsupported("it contains a closing bracket without an opening one; write a pattern by hand");
        }
        return all;
    }

    private List<String> choice(int depth) throws Unsupported {
        if (depth > DEEPEST) {
            throw new Unsupported("its brackets are nested too deeply; write patterns by hand");
        }
        List<String> all = new ArrayList<>(sequence(depth));
        while (next() == '|') {
            at++;
            all.addAll(sequence(depth));
        }
        return bounded(all);
    }

    private List<String> sequence(int depth) throws Unsupported {
        List<String> all = List.of("");
        while (at < regex.length() && next() != '|' && next() != ')') {
            all = product(all, item(depth));
        }
        return all;
    }

    private List<String> item(int depth) throws Unsupported {
        char c = regex.charAt(at++);
        return switch (c) {
            case '(' -> group(depth);
            // The starter matches whole paths, so anchors have no effect.
            case '^', '$' -> List.of("");
            case '.' -> List.of(anyCharacter());
            case '[' -> {
                int end = regex.indexOf(']', at + 1);
                if (end < 0) {
                    throw new Unsupported("a \"[\" is never closed");
                }
                yield List.of(characterClass(end + 1));
            }
            case '\\' -> "dwDWsS".indexOf(next()) >= 0 ? List.of(characterClass(at + 1)) : repeated(escaped());
            case '*', '+', '?', '{', '}' ->
                throw new Unsupported("\"" + c + "\" is not supported in this place; write a pattern by hand");
            default -> repeated(c);
        };
    }

    private char next() {
        return at < regex.length() ? regex.charAt(at) : END;
    }

    private List<String> repeated(char literal) throws Unsupported {
        if (next() == '?') {
            at++;
            return List.of("", String.valueOf(literal));
        }
        if (next() == '*' || next() == '+' || next() == '{') {
            throw new Unsupported("\"" + literal + next() + "\" repeats only the character \"" + literal
                    + "\", which is probably a mistake; write a pattern by hand");
        }
        return List.of(String.valueOf(literal));
    }

    private char escaped() throws Unsupported {
        if (at == regex.length()) {
            return '\\';
        }
        char c = regex.charAt(at++);
        if (Character.isLetterOrDigit(c) || c == '*') {
            throw new Unsupported("\"\\" + c + "\" is not supported here; write a pattern by hand");
        }
        return c;
    }

    private List<String> group(int depth) throws Unsupported {
        if (regex.startsWith("?:", at)) {
            at += 2;
        } else if (regex.startsWith("?!", at) || regex.startsWith("?<!", at)) {
            throw new Unsupported("it excludes paths with \"(?!\", and patterns cannot; write a pattern for each path "
                    + "that is limited");
        } else if (next() == '?') {
            throw new Unsupported("\"(?\" is not supported here; write a pattern by hand");
        }
        List<String> inner = new ArrayList<>(choice(depth + 1));
        if (next() != ')') {
            throw new Unsupported("a bracket is never closed");
        }
        at++;
        if (next() == '?') {
            at++;
            inner.add("");
        } else if (next() == '*' || next() == '+' || next() == '{') {
            throw new Unsupported("a repeated group is not supported here; write a pattern by hand");
        }
        return inner;
    }

    private String anyCharacter() {
        if (skipRepetition()) {
            return String.valueOf(ANYTHING);
        }
        addBroader(".");
        return "*";
    }

    /** Reads a class such as {@code [a-z]} or {@code \d} up to the given end, together with the quantifier after it. */
    private String characterClass(int end) throws Unsupported {
        String written = regex.substring(at - 1, end);
        at = end;
        if (written.startsWith("[^") ? !written.contains("/") : written.contains("/") || written.matches("\\\\[DWS]")) {
            throw new Unsupported("\"" + written + "\" also matches slashes; write a pattern by hand");
        }
        boolean isMany = skipRepetition();
        if (!isMany || !written.equals("[^/]")) {
            addBroader(written);
        }
        if (!isMany && next() == '{') {
            int close = regex.indexOf('}', at);
            at = close < 0 ? regex.length() : close + 1;
        } else if (!isMany && next() == '?') {
            at++;
        }
        return "*";
    }

    private void addBroader(String written) {
        broader.add("any text in place of \"" + written + "\"");
    }

    /** Skips {@code *} or {@code +}, even if it is lazy or possessive. Returns whether there was one. */
    private boolean skipRepetition() {
        if (next() != '*' && next() != '+') {
            return false;
        }
        at++;
        at += next() == '?' || next() == '+' ? 1 : 0;
        return true;
    }

    private static List<String> product(List<String> starts, List<String> ends) throws Unsupported {
        List<String> all = new ArrayList<>();
        for (String start : starts) {
            ends.forEach(end -> all.add(start + end));
            bounded(all);
        }
        return all;
    }

    private static List<String> bounded(List<String> all) throws Unsupported {
        // The numbers of alternatives multiply. For example, ten groups of two alternatives stand for about a thousand
        // paths.
        if (all.size() > MOST_ALTERNATIVES) {
            throw new Unsupported("it has too many alternatives; write patterns by hand");
        }
        return all;
    }

    /** Thrown if no pattern can express the expression. The message explains why. */
    private static final class Unsupported extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        private Unsupported(String sentence) {
            super(sentence);
        }
    }
}
