package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.keys.CountSection.CountFilter;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.internal.match.path.PathPatternException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@code pathPattern} and {@code except} keys of an endpoint. These keys define which paths the endpoint limits.
 * The value of each key is a single pattern or a list of patterns.
 *
 * @param limited the patterns of {@code pathPattern}
 * @param excepted the patterns of {@code except}
 * @param caseSensitive whether paths that differ only in case are different paths
 */
record PathsSection(List<Written> limited, List<Written> excepted, boolean caseSensitive) {

    private static final String PATH_PATTERN = "pathPattern";
    private static final String EXCEPT = "except";

    private static final String EXAMPLE = "pathPattern: /product/*, or on: report for method calls";

    private static final Shape<List<Written>> LIMITED = several(
            Shapes.text("a path pattern", "/product/*").then((text, findings) -> pattern(text, PATH_PATTERN, findings)),
            "[ /product/*, /cart/** ]",
            "write at least one pattern, such as /product/*");

    private static final Shape<List<Written>> EXCEPTED = several(
            Shapes.text("a path pattern", "/webjars/**").then((text, findings) -> pattern(text, EXCEPT, findings)),
            "[ /webjars/**, /actuator/health ]",
            "write at least one pattern, such as /webjars/**, or remove the key");

    private static final String ALL_PATHS = "/**";

    /** Common login paths. */
    private static final List<PathPattern> USUAL_LOGINS = Stream.of("/login", "/signin", "/j_security_check")
            .map(PathPattern::parse)
            .toList();

    /**
     * The last segments of typical login paths. A path that ends with one of these segments is assumed to be a login
     * path.
     */
    private static final Set<String> LOGINS = Set.of("login", "signin", "sign-in", "j_security_check");

    private static final int UNAUTHORISED = 401;

    /** A pattern and its text in the file. */
    record Written(PathPattern pattern, Text text) {}

    private static Shape<List<Written>> several(Shape<Written> one, String example, String ifEmpty) {
        return Shapes.oneOrMore(one, example, ifEmpty);
    }

    /** Reads the two keys. Returns {@code null} if {@code pathPattern} contains no valid pattern. */
    static @Nullable PathsSection read(Section endpoint, boolean caseSensitive) {
        List<Written> limited = endpoint.required(PATH_PATTERN, LIMITED, EXAMPLE);
        List<Written> excepted = endpoint.optional(EXCEPT, EXCEPTED, List.of());
        return limited == null || limited.isEmpty() ? null : new PathsSection(limited, excepted, caseSensitive);
    }

    /** Returns the paths of the endpoint. Sources use them to read path variables from a call. */
    EndpointPaths paths() {
        return new EndpointPaths(patterns(limited), patterns(excepted), caseSensitive);
    }

    List<String> pathPatterns() {
        return texts(limited);
    }

    List<String> except() {
        return texts(excepted);
    }

    private static List<PathPattern> patterns(List<Written> written) {
        return written.stream().map(Written::pattern).toList();
    }

    private static List<String> texts(List<Written> written) {
        return written.stream().map(one -> one.pattern.toString()).toList();
    }

    /** Whether the endpoint limits all paths. */
    boolean areAll() {
        return pathPatterns().contains(ALL_PATHS);
    }

    /** Reports exceptions that cover a login path, and warns about patterns that have no effect. */
    void check(Section endpoint, CountFilter filter, Findings findings) {
        warnOfCovered(limited, true, findings);
        warnOfCovered(excepted, false, findings);
        if (refuseExceptedLogins(filter, findings) || excepted.isEmpty()) {
            return;
        }
        if (limited.stream().allMatch(one -> excepted.stream().anyMatch(other -> covers(other, one)))) {
            findings.add(
                    ProblemCode.ALL_EXCEPTED,
                    endpoint.position(EXCEPT),
                    "every path of this endpoint is excepted, so it limits nothing; write narrower patterns in except, "
                            + "or enabled: false");
            return;
        }
        for (Written one : excepted) {
            if (limited.stream().noneMatch(other -> one.pattern.overlaps(other.pattern, !caseSensitive))) {
                findings.add(
                        ProblemCode.IDLE_PATTERN,
                        one.text,
                        " excepts nothing, because pathPattern matches none of its paths; correct or remove it");
            }
        }
    }

    private boolean covers(Written wide, Written narrow) {
        return wide.pattern.covers(narrow.pattern, !caseSensitive);
    }

    /**
     * Warns about each pattern whose paths are all matched by another pattern in the list.
     *
     * @param capture whether the path variables are used. Their values come from the first pattern that matches
     */
    private void warnOfCovered(List<Written> list, boolean capture, Findings findings) {
        for (int i = 0; i < list.size(); i++) {
            for (int j = 0; j < list.size(); j++) {
                Written one = list.get(i);
                Written other = list.get(j);
                boolean isSame = one.text.content().equals(other.text.content()); // the list reports duplicates
                boolean givesValues = capture
                        && !one.pattern.variables().isEmpty()
                        && (i < j || !other.pattern.variables().containsAll(one.pattern.variables()));
                if (i != j && !isSame && !givesValues && covers(other, one) && (i > j || !covers(one, other))) {
                    findings.add(
                            ProblemCode.IDLE_PATTERN,
                            one.text,
                            " has no effect, because " + other.text.quoted() + " matches all its paths; remove it");
                    break;
                }
            }
        }
    }

    /**
     * Reports exceptions that cover a login path if the endpoint counts failed logins or 401 responses. With such an
     * exception, anybody could guess passwords on that path without limit. Every limited pattern without a star is
     * assumed to be a login path, and so are common paths such as {@code /login}.
     */
    private boolean refuseExceptedLogins(CountFilter filter, Findings findings) {
        boolean any = false;
        if (filter.failedLogins() || filter.statuses().contains(UNAUTHORISED)) {
            for (Written one : excepted) {
                PathPattern login = exceptedLogin(one.pattern, filter.failedLogins());
                if (login != null) {
                    any = true;
                    boolean same = login.toString().equals(one.pattern.toString());
                    findings.add(
                            ProblemCode.EXCEPTED_LOGIN,
                            one.text,
                            (same || one.text.isSubstituted() ? " is a login path" : " excepts the login " + login)
                                    + ", and this endpoint counts "
                                    + (filter.failedLogins() ? "failed logins" : "401 responses")
                                    + ", so anybody could guess passwords there without limit; remove it from except");
                }
            }
        }
        return any;
    }

    /**
     * Returns the login path that the pattern excludes from the endpoint; {@code null} if it excludes no known login
     * path.
     */
    private @Nullable PathPattern exceptedLogin(PathPattern except, boolean countsLogins) {
        Stream<PathPattern> own = patterns(limited).stream()
                .filter(one -> one.toString().indexOf('*') < 0)
                .filter(one -> countsLogins || one.variables().isEmpty());
        Stream<PathPattern> usual = USUAL_LOGINS.stream()
                .filter(login -> limited.stream().anyMatch(one -> one.pattern.covers(login, !caseSensitive)));
        String text = except.toString();
        String last = text.substring(text.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return Stream.concat(own, usual)
                .filter(login -> except.overlaps(login, !caseSensitive))
                .findFirst()
                .orElse(LOGINS.contains(last) ? except : null);
    }

    /** A variable in the notation of other routers: {@code :id} or {@code <id>}. */
    private static final Pattern VARIABLE =
            Pattern.compile("(?<=/)(?::([A-Za-z_]\\w*)|<(?:\\w+:)?([A-Za-z_]\\w*)>)(?=/|$)");
    /** A segment that is a regular expression: {@code .*}, {@code [^/]+} or {@code [0-9]+}. */
    private static final Pattern EXPRESSION =
            Pattern.compile("(?<=/)\\(?(?:\\.|\\[\\^/]|\\[[\\w-]+])[*+]\\)?\\$?(?=/|$)");

    /** A pattern that is preceded by a method: {@code GET /product}. */
    private static final Pattern WITH_METHOD = Pattern.compile("([A-Z]{3,10})\\s+(/\\S*)");
    /** The start of a second pattern in the same text, as in {@code /a|/b} or {@code /a, /b}. */
    private static final Pattern SEVERAL = Pattern.compile("(?:\\||,\\s*|\\s)/");

    private static final Pattern BETWEEN = Pattern.compile("(?:\\||,\\s*|\\s+)(?=/)");

    private static @Nullable Written pattern(Text text, String key, Findings findings) {
        try {
            PathPattern pattern = PathPattern.parse(text.content());
            warnOfOtherNotations(text, findings);
            warnOfSeveral(text, findings);
            return new Written(pattern, text);
        } catch (PathPatternException e) {
            return findings.refuse(
                    ProblemCode.BAD_PATTERN,
                    positionOf(e.index(), text),
                    text.quoted() + " is not a path pattern: " + why(e, text, key));
        }
    }

    /**
     * Returns the position of a character in the file. If the file writes the text with quotes or escapes, returns
     * the start of the text.
     */
    private static FilePosition positionOf(int index, Text text) {
        FilePosition start = text.position();
        return text.style() == Text.Style.PLAIN ? start.at(start.line(), start.column() + index) : start;
    }

    private static String why(PathPatternException e, Text text, String key) {
        boolean secret = text.isSubstituted();
        Matcher call = WITH_METHOD.matcher(text.content());
        if (!secret && call.matches()) {
            return key.equals(EXCEPT)
                    ? "a pattern cannot contain a method, and except applies to all methods of the endpoint; write "
                            + Quote.plain(call.group(2))
                    : "a pattern cannot contain a method; write pathPattern: " + Quote.plain(call.group(2))
                            + " and methods: [ " + call.group(1) + " ]";
        }
        String withSlash = "/" + text.content();
        String ours = inOurNotation(withSlash);
        if (!secret && !text.content().startsWith("/") && !ours.equals(withSlash)) {
            return "a pattern must start with a slash; write " + Quote.of(ours);
        }
        return secret ? "it fails at character " + (e.index() + 1) : Quote.message(e);
    }

    /** Warns about a text that contains several patterns. */
    private static void warnOfSeveral(Text text, Findings findings) {
        if (!text.isSubstituted() && SEVERAL.matcher(text.content()).find()) {
            findings.add(
                    ProblemCode.DOUBTFUL_PATTERN,
                    text,
                    " is read as a single path; write a list of patterns: "
                            + Arrays.stream(text.content().split(BETWEEN.pattern()))
                                    .map(Quote::plain)
                                    .collect(Collectors.joining(", ", "[ ", " ]")));
        }
    }

    private static String inOurNotation(String pattern) {
        String named = VARIABLE.matcher(pattern)
                .replaceAll(one -> "{" + (one.group(1) == null ? one.group(2) : one.group(1)) + "}");
        return EXPRESSION.matcher(named).replaceAll("*");
    }

    /**
     * Warns about notations of other routers. In those routers, these notations match whole segments, whereas here they
     * are plain text.
     */
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
                text.quoted() + " contains " + Quote.of(found)
                        + (hasExpression ? ", which is not treated as a regular expression" : " as plain text")
                        + "; write " + Quote.of(meant) + below);
    }
}
