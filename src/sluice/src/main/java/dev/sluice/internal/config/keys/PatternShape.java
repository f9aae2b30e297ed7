package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.internal.match.path.PathPatternException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The key {@code pathPattern} of an endpoint. */
final class PatternShape {

    private static final Shape<PathPattern> ONE =
            Shapes.text("a path pattern", "/product/*").then(PatternShape::pattern);

    static final Shape<PathPattern> PATTERN = (value, findings) -> value instanceof Value.Items
            ? findings.refuse(
                    ProblemCode.WRONG_TYPE,
                    value.position(),
                    "expected a path pattern, but found a list; write an endpoint for each pattern")
            : ONE.read(value, findings);

    /** {@code :id} or {@code <id>}, the variables of other routers. */
    private static final Pattern VARIABLE =
            Pattern.compile("(?<=/)(?::([A-Za-z_]\\w*)|<(?:\\w+:)?([A-Za-z_]\\w*)>)(?=/|$)");
    /** A regular expression as a segment: {@code .*}, {@code [^/]+} or {@code [0-9]+}. */
    private static final Pattern EXPRESSION =
            Pattern.compile("(?<=/)\\(?(?:\\.|\\[\\^/]|\\[[\\w-]+])[*+]\\)?\\$?(?=/|$)");

    /** {@code GET /product}. */
    private static final Pattern WITH_METHOD = Pattern.compile("([A-Z]{3,10})\\s+(/\\S*)");
    /** {@code /a|/b} or {@code /a, /b}. */
    private static final Pattern SEVERAL = Pattern.compile("(?:\\||,\\s*|\\s)/");

    private PatternShape() {}

    private static @Nullable PathPattern pattern(Text text, Findings findings) {
        try {
            PathPattern pattern = PathPattern.parse(text.content());
            warnOfOtherNotations(text, findings);
            warnOfSeveral(text, findings);
            return pattern;
        } catch (PathPatternException e) {
            return findings.refuse(
                    ProblemCode.BAD_PATTERN,
                    positionOf(e.index(), text),
                    text.quoted() + " is not a path pattern: " + why(e, text));
        }
    }

    /** The position of a character in the file; the start of the text if the file writes it with quotes or escapes. */
    private static FilePosition positionOf(int index, Text text) {
        FilePosition start = text.position();
        return text.style() == Text.Style.PLAIN ? start.at(start.line(), start.column() + index) : start;
    }

    private static String why(PathPatternException e, Text text) {
        boolean secret = text.isSubstituted();
        Matcher call = WITH_METHOD.matcher(text.content());
        if (!secret && call.matches()) {
            return "a pattern has no method; write pathPattern: " + Quote.plain(call.group(2)) + " and methods: [ "
                    + call.group(1) + " ]";
        }
        String withSlash = "/" + text.content();
        String ours = inOurNotation(withSlash);
        if (!secret && !text.content().startsWith("/") && !ours.equals(withSlash)) {
            return "a pattern must start with a slash; write " + Quote.of(ours);
        }
        return secret ? "it fails at character " + (e.index() + 1) : Quote.message(e);
    }

    /** Warns of several patterns in one text. */
    private static void warnOfSeveral(Text text, Findings findings) {
        if (!text.isSubstituted() && SEVERAL.matcher(text.content()).find()) {
            findings.add(
                    ProblemCode.DOUBTFUL_PATTERN, text, " is read as a single path; write an endpoint for each path");
        }
    }

    private static String inOurNotation(String pattern) {
        String named = VARIABLE.matcher(pattern)
                .replaceAll(one -> "{" + (one.group(1) == null ? one.group(2) : one.group(1)) + "}");
        return EXPRESSION.matcher(named).replaceAll("*");
    }

    /** Warns of the notation of other routers: they match whole segments with it, but here it is plain text. */
    private static void warnOfOtherNotations(Text text, Findings findings) {
        Matcher variable = VARIABLE.matcher(text.content());
        Matcher expression = EXPRESSION.matcher(text.content());
        boolean hasExpression = expression.find();
        if (text.isSubstituted() || !(hasExpression || variable.find())) {
            return;
        }
        int start = (hasExpression ? expression : variable).start();
        String found = (hasExpression ? expression : variable).group();
        String meant = inOurNotation(text.content());
        String below = hasExpression && meant.endsWith("*")
                ? ", or " + Quote.of(meant + "*") + " to include all paths below"
                : "";
        findings.add(
                ProblemCode.DOUBTFUL_PATTERN,
                positionOf(start, text),
                text.quoted() + " has " + Quote.of(found)
                        + (hasExpression ? ", which is not read as a regular expression" : " as plain text")
                        + "; write " + Quote.of(meant) + below);
    }
}
