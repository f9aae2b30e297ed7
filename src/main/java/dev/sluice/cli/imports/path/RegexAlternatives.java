package dev.sluice.cli.imports.path;

import java.util.ArrayList;
import java.util.List;

/** Reads an expression, and writes out its alternatives: {@code /(a|b)/c} is {@code /a/c} or {@code /b/c}. */
final class RegexAlternatives {

    private static final int MOST = 100;
    private static final int DEEPEST = 10;

    private final String regex;
    private int at;

    RegexAlternatives(String regex) {
        this.regex = regex;
    }

    /** Each alternative by its parts. */
    List<List<RegexPart>> expand() throws UnsupportedRegex {
        List<List<RegexPart>> all = choice(0);
        if (at < regex.length()) {
            throw new UnsupportedRegex("a bracket is closed that was never opened; write a pattern by hand");
        }
        return all;
    }

    private List<List<RegexPart>> choice(int depth) throws UnsupportedRegex {
        if (depth > DEEPEST) {
            throw new UnsupportedRegex("its brackets are nested too deep to be read here; write patterns by hand");
        }
        List<List<RegexPart>> all = new ArrayList<>(sequence(depth));
        while (at < regex.length() && regex.charAt(at) == '|') {
            at++;
            all.addAll(sequence(depth));
        }
        return bounded(all);
    }

    private List<List<RegexPart>> sequence(int depth) throws UnsupportedRegex {
        List<List<RegexPart>> all = List.of(List.of());
        while (at < regex.length() && "|)".indexOf(regex.charAt(at)) < 0) {
            all = product(all, item(depth));
        }
        return all;
    }

    private List<List<RegexPart>> item(int depth) throws UnsupportedRegex {
        char c = regex.charAt(at++);
        if (c == '(') {
            return group(depth);
        }
        if (c == '^' || c == '$') {
            return List.of(List.of());
        }
        if (c == '.') {
            return List.of(List.of(anyCharacters()));
        }
        if (c == '[' || (c == '\\' && at < regex.length() && "dwDWsS".indexOf(regex.charAt(at)) >= 0)) {
            return List.of(List.of(characterClass(c)));
        }
        char literal = c == '\\' && at < regex.length() ? escaped() : c;
        if ("*+?{}".indexOf(c) >= 0) {
            throw new UnsupportedRegex("\"" + c + "\" stands where it is not understood here; write a pattern by hand");
        }
        return repeated(literal);
    }

    private List<List<RegexPart>> repeated(char literal) throws UnsupportedRegex {
        char next = at < regex.length() ? regex.charAt(at) : 0;
        List<RegexPart> once = List.of(new RegexPart.Literal(literal));
        if (next == '?') {
            at++;
            return List.of(List.of(), once);
        }
        if (next == '*' || next == '+' || next == '{') {
            throw new UnsupportedRegex("\"" + literal + next + "\" repeats the one character \"" + literal
                    + "\", so it never matched what a person may expect; write a pattern by hand");
        }
        return List.of(once);
    }

    private char escaped() throws UnsupportedRegex {
        char c = regex.charAt(at++);
        if (Character.isLetterOrDigit(c) || c == '*') {
            throw new UnsupportedRegex("\"\\" + c + "\" is not understood here; write a pattern by hand");
        }
        return c;
    }

    private List<List<RegexPart>> group(int depth) throws UnsupportedRegex {
        if (regex.startsWith("?:", at)) {
            at += 2;
        } else if (regex.startsWith("?!", at) || regex.startsWith("?<!", at)) {
            throw new UnsupportedRegex(
                    "it leaves out paths by \"(?!\", and patterns cannot; write a pattern for each path "
                            + "that is limited");
        } else if (regex.startsWith("?", at)) {
            throw new UnsupportedRegex("\"(?\" is not understood here; write a pattern by hand");
        }
        List<List<RegexPart>> inner = choice(depth + 1);
        if (at >= regex.length() || regex.charAt(at) != ')') {
            throw new UnsupportedRegex("a bracket is never closed");
        }
        at++;
        char next = at < regex.length() ? regex.charAt(at) : 0;
        if (next == '?') {
            at++;
            List<List<RegexPart>> optional = new ArrayList<>(inner);
            optional.add(List.of());
            return optional;
        }
        if (next == '*' || next == '+' || next == '{') {
            throw new UnsupportedRegex("a repeated group is not understood here; write a pattern by hand");
        }
        return inner;
    }

    private RegexPart anyCharacters() {
        boolean many = at < regex.length() && (regex.charAt(at) == '*' || regex.charAt(at) == '+');
        if (!many) {
            return new RegexPart.WithinSegment(".", false);
        }
        at++;
        skipLazy();
        return new RegexPart.Anything();
    }

    private RegexPart characterClass(char first) throws UnsupportedRegex {
        int from = at - 1;
        if (first == '\\') {
            at++;
        } else {
            int end = regex.indexOf(']', at + 1);
            if (end < 0) {
                throw new UnsupportedRegex("a \"[\" is never closed");
            }
            at = end + 1;
        }
        String written = regex.substring(from, at);
        if (written.startsWith("[^") ? !written.contains("/") : written.contains("/") || written.matches("\\\\[DWS]")) {
            throw new UnsupportedRegex("\"" + written + "\" stands for slashes too; write a pattern by hand");
        }
        boolean many = at < regex.length() && (regex.charAt(at) == '*' || regex.charAt(at) == '+');
        if (many) {
            at++;
            skipLazy();
        } else if (at < regex.length() && regex.charAt(at) == '{') {
            int end = regex.indexOf('}', at);
            at = end < 0 ? regex.length() : end + 1;
        } else if (at < regex.length() && regex.charAt(at) == '?') {
            at++;
        }
        return new RegexPart.WithinSegment(written, many && written.equals("[^/]"));
    }

    private void skipLazy() {
        if (at < regex.length() && "?+".indexOf(regex.charAt(at)) >= 0) {
            at++;
        }
    }

    private static List<List<RegexPart>> product(List<List<RegexPart>> starts, List<List<RegexPart>> ends)
            throws UnsupportedRegex {
        List<List<RegexPart>> all = new ArrayList<>();
        for (List<RegexPart> start : starts) {
            for (List<RegexPart> end : ends) {
                List<RegexPart> both = new ArrayList<>(start);
                both.addAll(end);
                all.add(both);
            }
            bounded(all);
        }
        return all;
    }

    private static List<List<RegexPart>> bounded(List<List<RegexPart>> all) throws UnsupportedRegex {
        if (all.size() > MOST) {
            throw new UnsupportedRegex("it has too many alternatives to be written out; write patterns by hand");
        }
        return all;
    }
}
