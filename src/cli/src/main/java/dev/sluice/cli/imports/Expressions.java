package dev.sluice.cli.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Splits Spring expressions at operators outside quotes and brackets, and recognizes the sources that they read. */
final class Expressions {

    private static final String NAME = "\\(\\s*(['\"])([^'\"]{1,200})\\1\\s*\\)";
    private static final Pattern ADDRESS = Pattern.compile(
            "(getRemoteAddr\\(\\)|remoteAddr|getRemoteHost\\(\\)|remoteHost|(getRemoteAddress\\(\\)|remoteAddress)"
                    + "(\\.[A-Za-z]+(\\(\\))?)*)");
    /** Patterns of expressions that contain a name, by the prefix of the corresponding Sluice source. */
    private static final Map<String, Pattern> NAMED = Map.of(
            "header:", Pattern.compile("(?:getHeader|getHeaders\\(\\)\\.getFirst|headers\\.getFirst)" + NAME),
            "query:", Pattern.compile("getParameter" + NAME),
            "attribute:", Pattern.compile("getAttribute" + NAME));

    private static final Pattern USER = Pattern.compile(
            "(getUserPrincipal\\(\\)|userPrincipal)(\\.getName\\(\\)|\\.name)?|getRemoteUser\\(\\)|remoteUser");
    private static final Pattern SESSION = Pattern.compile(
            "(getSession\\((true|false)?\\)|session)\\.(getId\\(\\)|id)|getRequestedSessionId\\(\\)|requestedSessionId");
    private static final Pattern CONSTANT = Pattern.compile("'[^']*'|\"[^\"]*\"|-?\\d+|true|false");

    private Expressions() {}

    /** Returns the source that an expression reads; {@code null} if Sluice has no such source. */
    static @Nullable String source(String expression) {
        String plain = plain(expression);
        if (ADDRESS.matcher(plain).matches()) {
            return "ip";
        }
        if (USER.matcher(plain).matches()) {
            return "principal";
        }
        if (SESSION.matcher(plain).matches()) {
            return "session";
        }
        for (Map.Entry<String, Pattern> named : NAMED.entrySet()) {
            Matcher matcher = named.getValue().matcher(plain);
            if (matcher.matches()) {
                return named.getKey() + matcher.group(2);
            }
        }
        return null;
    }

    /** Returns the value of a constant; {@code null} if the expression is not constant. */
    static @Nullable String constant(String expression) {
        String text = expression.strip();
        if (!CONSTANT.matcher(text).matches()) {
            return null;
        }
        boolean isQuoted = text.startsWith("'") || text.startsWith("\"");
        return isQuoted ? text.substring(1, text.length() - 1) : text;
    }

    /** Returns the expression without the parts that do not affect its value. */
    static String plain(String expression) {
        String plain = withoutBrackets(expression.strip())
                .replace("?.", ".")
                .replaceFirst("^#(root|this)\\.", "")
                .replaceFirst("^request\\.", "");
        return plain.endsWith(".toString()") ? plain.substring(0, plain.length() - 11) : plain;
    }

    static String withoutBrackets(String expression) {
        String inner = expression;
        while (inner.startsWith("(") && closing(inner, 0) == inner.length() - 1) {
            inner = inner.substring(1, inner.length() - 1).strip();
        }
        return inner;
    }

    /** Returns the parts between operators that are outside quotes and brackets. */
    static List<String> split(String expression, String... operators) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int at = 0; at < expression.length(); at++) {
            char c = expression.charAt(at);
            if (c == '\'' || c == '"') {
                int end = expression.indexOf(c, at + 1);
                at = end < 0 ? expression.length() : end;
            } else if (c == '(' || c == '[' || c == '{') {
                int end = closing(expression, at);
                at = end < 0 ? expression.length() : end;
            } else {
                String operator = operatorAt(expression, at, operators);
                if (operator != null) {
                    parts.add(expression.substring(from, at).strip());
                    from = at + operator.length();
                    at = from - 1;
                }
            }
        }
        parts.add(expression.substring(Math.min(from, expression.length())).strip());
        return parts;
    }

    private static @Nullable String operatorAt(String expression, int at, String... operators) {
        for (String operator : operators) {
            boolean there = expression.startsWith(operator, at);
            // A word such as "or" is an operator only between spaces. In "order", the same letters are part of a name.
            boolean isWord = Character.isLetter(operator.charAt(0));
            if (there && (!isWord || isApart(expression, at, at + operator.length()))) {
                return operator;
            }
        }
        return null;
    }

    private static boolean isApart(String expression, int from, int to) {
        return from > 0
                && Character.isWhitespace(expression.charAt(from - 1))
                && to < expression.length()
                && Character.isWhitespace(expression.charAt(to));
    }

    /** Returns the index of the closing bracket for this opening one; negative if there is none. */
    private static int closing(String expression, int open) {
        int depth = 0;
        for (int at = open; at < expression.length(); at++) {
            char c = expression.charAt(at);
            if (c == '\'' || c == '"') {
                int end = expression.indexOf(c, at + 1);
                if (end < 0) {
                    return -1;
                }
                at = end;
            } else if ("([{".indexOf(c) >= 0) {
                depth++;
            } else if (")]}".indexOf(c) >= 0 && --depth == 0) {
                return at;
            }
        }
        return -1;
    }
}
