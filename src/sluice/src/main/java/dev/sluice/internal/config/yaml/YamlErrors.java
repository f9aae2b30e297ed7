package dev.sluice.internal.config.yaml;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Explains SnakeYAML's errors in plain words. Quotes nothing from the file, because the file can contain passwords. */
final class YamlErrors {

    static final String TAG =
            "YAML tags (words that begin with \"!\") are not supported here; remove the tag, or quote the text";

    private static final int LONGEST_NAME = 100;
    private static final Pattern NAME = Pattern.compile("([A-Za-z_][\\w.-]*)([}:])");

    private YamlErrors() {}

    static String sentence(MarkedYAMLException e, String text, FilePosition position) {
        String problem = problem(e);
        if (problem.contains("found another document")) {
            return "a second document begins here, but a file can contain only one; remove the \"---\" and everything "
                    + "after it";
        }
        if (isTab(text, position)) {
            return "YAML does not allow tabs here; indent with spaces";
        }
        if (isVariable(e)) {
            return "a ${…} inside { } or [ ] must be in quotes; write \"" + variable(e) + "\"";
        }
        if (problem.contains("undefined alias")) {
            return "this alias is not defined above; quote text that begins with \"*\"";
        }
        if (e.getContext() != null && e.getContext().contains("scanning an alias")) {
            return "text that begins with \"*\" needs quotes, and a path pattern begins with a slash, as in \"/*.html\"";
        }
        if (problem.contains("undefined tag handle")) {
            return TAG;
        }
        if (problem.contains("mapping values are not allowed")) {
            return "a \":\" is not expected here; check the indentation, and quote text that contains \": \"";
        }
        if (problem.contains("could not find expected ':'")) {
            return "a \":\" is missing after a key, or a line is not indented enough";
        }
        if (problem.contains("expected <block end>")) {
            return "this is not aligned with the lines above; check the indentation";
        }
        if (problem.contains("expected ',' or")) {
            return "this bracket or brace is not closed, or a comma is missing inside it";
        }
        if (problem.contains("unexpected end of stream")) {
            return "this quote is not closed";
        }
        return "this is not valid YAML (" + Quote.plain(problem) + "); check indentation, quotes and brackets";
    }

    /**
     * Returns the position of the error. If a quote or bracket is not closed, this is the position of the opening
     * character.
     */
    static @Nullable Mark mark(MarkedYAMLException e) {
        boolean neverClosed = problem(e).contains("unexpected end of stream")
                || (problem(e).contains("expected ',' or") && !isVariable(e));
        Mark mark = neverClosed ? e.getContextMark() : e.getProblemMark();
        return mark != null ? mark : e.getProblemMark();
    }

    private static String problem(MarkedYAMLException e) {
        return e.getProblem() == null ? "" : e.getProblem();
    }

    /** Whether the error is an unquoted <code>${</code> inside braces or brackets. */
    private static boolean isVariable(MarkedYAMLException e) {
        Mark mark = e.getProblemMark();
        int at = mark == null ? 0 : mark.getPointer();
        int[] text = mark == null ? new int[0] : mark.getBuffer();
        return at > 0 && at < text.length && text[at] == '{' && text[at - 1] == '$';
    }

    /** Returns the variable without its default, because the default can contain a password. */
    private static String variable(MarkedYAMLException e) {
        Mark mark = e.getProblemMark();
        if (mark == null) {
            return "${NAME}";
        }
        int from = mark.getPointer() + 1;
        int length = Math.min(LONGEST_NAME, mark.getBuffer().length - from);
        Matcher name = NAME.matcher(new String(mark.getBuffer(), from, Math.max(0, length)));
        return name.lookingAt() ? "${" + name.group(1) + (name.group(2).equals(":") ? ":…}" : "}") : "${NAME}";
    }

    private static boolean isTab(String text, FilePosition position) {
        String line =
                text.lines().skip(Math.max(0, position.line() - 1)).findFirst().orElse("");
        int column = position.column() - 1;
        return column >= 0 && column < line.length() && line.charAt(column) == '\t';
    }
}
