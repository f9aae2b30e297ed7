package dev.sluice.cli.imports.draft;

import java.io.Serial;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes out the alternatives of a regular expression: {@code /(a|b)/c} becomes {@code /a/c} and {@code /b/c}. Not
 * thread-safe.
 */
final class RegexAlternatives {

    /** In an alternative, stands for any characters, slashes too; a {@code *} stands for characters of one segment. */
    static final char ANYTHING = '\u0001';

    private static final int MOST = 100;
    private static final int DEEPEST = 10;
    private static final char END = 0;

    private final String regex;
    private final Set<String> broader = new LinkedHashSet<>();
    private int at;

    RegexAlternatives(String regex) {
        this.regex = regex;
    }

    List<String> expand() throws Unsupported {
        List<String> all = choice(0);
        if (at < regex.length()) {
            throw new Unsupported("it closes a bracket that it never opened; write a pattern by hand");
        }
        return all;
    }

    /** What the alternatives match beyond the expression. */
    Set<String> broader() {
        return broader;
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
                throw new Unsupported("\"" + c + "\" is not understood in this place; write a pattern by hand");
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
                    + "\", which is hardly what was meant; write a pattern by hand");
        }
        return List.of(String.valueOf(literal));
    }

    private char escaped() throws Unsupported {
        if (at == regex.length()) {
            return '\\';
        }
        char c = regex.charAt(at++);
        if (Character.isLetterOrDigit(c) || c == '*') {
            throw new Unsupported("\"\\" + c + "\" is not understood here; write a pattern by hand");
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
            throw new Unsupported("\"(?\" is not understood here; write a pattern by hand");
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
            throw new Unsupported("a repeated group is not understood here; write a pattern by hand");
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

    /** Reads a class such as {@code [a-z]} or {@code \d} that ends there, and what repeats it. */
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
        broader.add("any text where \"" + written + "\" stands");
    }

    /** Skips {@code *} or {@code +}, also lazy or possessive; returns whether there was one. */
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
        if (all.size() > MOST) {
            throw new Unsupported("it has too many alternatives; write patterns by hand");
        }
        return all;
    }

    /** No pattern can stand for the expression; the message says why. */
    static final class Unsupported extends Exception {

        @Serial
        private static final long serialVersionUID = 1L;

        Unsupported(String sentence) {
            super(sentence);
        }
    }
}
