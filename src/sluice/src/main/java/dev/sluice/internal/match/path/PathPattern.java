package dev.sluice.internal.match.path;

import dev.sluice.internal.match.glob.CaseFolding;
import dev.sluice.internal.match.glob.Glob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed path pattern. {@code *} matches a segment or a part of one. <code>{name}</code> matches a segment, and
 * captures its value for a subject. {@code **} matches any number of segments. Immutable.
 */
public final class PathPattern {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
    private static final int MAX_SEGMENTS = 64;
    /**
     * Matches the parts of a regular expression that denote text without a slash. The quantifiers are possessive, so
     * that no text is searched twice.
     */
    private static final Pattern REGEX_PART =
            Pattern.compile("(\\[[^\\[\\]]*+]|\\([^()]*+\\)|\\\\[dDwWsS])[+*?]?|\\{[0-9,]*+}");

    private static final Pattern PLAIN = Pattern.compile("[\\w.~*-]+");
    private static final Pattern URL = Pattern.compile("https?://[^/]*+/?(.*)");

    private final String text;
    private final List<Segment> segments;
    private final Set<String> variables;

    private PathPattern(String text, List<Segment> segments, Set<String> variables) {
        this.text = text;
        this.segments = List.copyOf(segments);
        this.variables = Set.copyOf(variables);
    }

    /** Parses a pattern such as <code>/orders/{id}/items/*.json</code>. */
    public static PathPattern parse(String text) {
        if (!text.startsWith("/")) {
            throw new PathPatternException(0, "a pattern must start with a slash; write \"" + withSlash(text) + "\"");
        }
        if (text.length() > 1 && text.endsWith("/")) {
            throw new PathPatternException(
                    text.length() - 1,
                    "remove the trailing slash; the pattern also matches paths with a trailing slash");
        }
        List<Segment> segments = new ArrayList<>();
        int from = 1;
        while (from < text.length()) {
            int slash = text.indexOf('/', from);
            int to = slash < 0 ? text.length() : slash;
            segments.add(segment(text, from, to));
            from = to + 1;
        }
        if (segments.size() > MAX_SEGMENTS) {
            throw new PathPatternException(0, "a pattern can have at most " + MAX_SEGMENTS + " segments");
        }
        return new PathPattern(text, segments, variables(text, segments));
    }

    /**
     * Guesses which pattern a text without a leading slash denotes. The text can be a whole URL or a regular
     * expression.
     */
    private static String withSlash(String text) {
        Matcher url = URL.matcher(text);
        return url.matches() ? '/' + url.group(1) : text.startsWith("^") ? meantBy(text.substring(1)) : '/' + text;
    }

    /** Guesses which pattern a simple regular expression denotes. */
    private static String meantBy(String expression) {
        String path = REGEX_PART.matcher(expression.replaceFirst("\\$$", "")).replaceAll("*");
        return Arrays.stream(path.replaceFirst("^/", "").split("/"))
                .map(part -> part.equals(".*") ? "**" : PLAIN.matcher(part).matches() ? part : "*")
                .collect(Collectors.joining("/", "/", ""));
    }

    private static Segment segment(String text, int from, int to) {
        String part = text.substring(from, to);
        if (part.isEmpty()) {
            throw new PathPatternException(
                    from, "\"//\" can never match, because repeated slashes in a path are treated as one");
        }
        if (part.equals(".") || part.equals("..")) {
            throw new PathPatternException(
                    from, "\"" + part + "\" can never match, because dots in a path are resolved first");
        }
        if (part.contains("{") || part.contains("}")) {
            return variable(part, from);
        }
        rejectForbiddenCharacters(text, from, to);
        if (part.equals("**")) {
            return new Segment.Remaining();
        }
        if (part.contains("**")) {
            throw new PathPatternException(
                    from + part.indexOf("**"), "\"**\" must be a whole segment; write \"*\" within a segment");
        }
        if (part.equals("*")) {
            return new Segment.Any("");
        }
        return part.contains("*") ? new Segment.Starred(Glob.parse(part)) : new Segment.Literal(part);
    }

    private static Segment variable(String part, int from) {
        String name = part.substring(1, Math.max(1, part.length() - 1));
        if (!part.startsWith("{") || !part.endsWith("}") || !NAME.matcher(name).matches()) {
            throw new PathPatternException(
                    from,
                    part.startsWith("{*")
                            ? "write \"**\" for any number of segments"
                            : "a variable must be a whole segment with a simple name, such as \"{" + nameIn(part)
                                    + "}\"");
        }
        return new Segment.Any(name);
    }

    /** Returns the name in an invalid variable, such as {@code order} in {@code {order:[0-9]+}}. */
    private static String nameIn(String part) {
        Matcher name = NAME.matcher(part);
        return name.find(part.indexOf('{') + 1) ? name.group() : "id";
    }

    private static void rejectForbiddenCharacters(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c == '?' || c == '#' || c == ';' || c == '\\' || Character.isISOControl(c)) {
                throw new PathPatternException(
                        i,
                        "a pattern matches only the path, which cannot contain "
                                + (Character.isISOControl(c) ? "control characters" : "\"" + c + "\""));
            }
            if (c == '%') {
                throw new PathPatternException(
                        i, "write the character itself; paths are decoded before they are matched");
            }
        }
    }

    private static Set<String> variables(String text, List<Segment> segments) {
        Set<String> names = new HashSet<>();
        for (Segment segment : segments) {
            if (segment instanceof Segment.Any any && !any.name().isEmpty() && !names.add(any.name())) {
                throw new PathPatternException(
                        text.lastIndexOf("{" + any.name() + "}"), "the variable {" + any.name() + "} occurs twice");
            }
        }
        return names;
    }

    /** Returns the names of the variables. */
    public Set<String> variables() {
        return variables;
    }

    /**
     * Whether the last segment contains at least a part of a file name. The result is {@code false} for {@code *}, for
     * a variable and for <code>**</code>.
     */
    public boolean namesFile() {
        return !segments.isEmpty()
                && (segments.get(segments.size() - 1) instanceof Segment.Literal
                        || segments.get(segments.size() - 1) instanceof Segment.Starred);
    }

    /** Whether any reading of a raw path matches. */
    public boolean matches(String rawPath, boolean ignoreCase) {
        return capture("", rawPath, ignoreCase) != null;
    }

    /** Returns the variable's value in the first matching reading of a path; {@code null} if no reading matches. */
    @Nullable String capture(String variable, String rawPath, boolean ignoreCase) {
        for (String reading : PathReadings.of(rawPath)) {
            String found = capture(variable, PathReadings.split(reading), ignoreCase);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Returns the variable's value in the reading with these segments. */
    @Nullable String capture(String variable, List<String> reading, boolean ignoreCase) {
        String found = capture(variable, reading, 0, 0, ignoreCase, new BitSet());
        return found == null ? null : PathReadings.display(found);
    }

    boolean matches(List<String> reading, boolean ignoreCase) {
        return capture("", reading, 0, 0, ignoreCase, new BitSet()) != null;
    }

    /**
     * Searches depth first for the variable's value. Returns {@code null} if the remaining segments do not match. Never
     * tries a failed state again, so the time is linear in the length of the path.
     */
    private @Nullable String capture(
            String variable, List<String> parts, int segment, int part, boolean ignoreCase, BitSet failed) {
        int state = segment * (parts.size() + 1) + part;
        if (failed.get(state)) {
            return null;
        }
        String found = captureHere(variable, parts, segment, part, ignoreCase, failed);
        failed.set(state, found == null);
        return found;
    }

    private @Nullable String captureHere(
            String variable, List<String> parts, int segment, int part, boolean ignoreCase, BitSet failed) {
        if (segment == segments.size()) {
            return part == parts.size() ? "" : null;
        }
        Segment wanted = segments.get(segment);
        if (wanted instanceof Segment.Remaining) {
            return captureDoubleStar(variable, parts, segment, part, ignoreCase, failed);
        }
        if (part == parts.size() || !accepts(wanted, parts.get(part), ignoreCase)) {
            return null;
        }
        String remaining = capture(variable, parts, segment + 1, part + 1, ignoreCase, failed);
        boolean here = wanted instanceof Segment.Any any && any.name().equals(variable);
        return remaining != null && here ? parts.get(part) : remaining;
    }

    /** Continues the search after a {@code **}. Stops at a segment from which an earlier search has failed. */
    private @Nullable String captureDoubleStar(
            String variable, List<String> parts, int remaining, int part, boolean ignoreCase, BitSet failed) {
        int firstState = remaining * (parts.size() + 1);
        for (int next = part; next <= parts.size() && !failed.get(firstState + next); next++) {
            String found = capture(variable, parts, remaining + 1, next, ignoreCase, failed);
            if (found != null) {
                return found;
            }
            failed.set(firstState + next);
        }
        return null;
    }

    private static boolean accepts(Segment wanted, String part, boolean ignoreCase) {
        if (wanted instanceof Segment.Literal literal) {
            return literal.text().length() == part.length() && CaseFolding.isAt(part, 0, literal.text(), ignoreCase);
        }
        return !(wanted instanceof Segment.Starred starred)
                || starred.glob().matches(part, 0, part.length(), ignoreCase);
    }

    /**
     * Whether this pattern certainly matches all paths that the other pattern matches. If the result is {@code false},
     * it might still do so, because the comparison considers only one segment at a time.
     */
    public boolean covers(PathPattern other, boolean ignoreCase) {
        return covers(other, 0, 0, ignoreCase, new BitSet());
    }

    private boolean covers(PathPattern other, int mine, int theirs, boolean ignoreCase, BitSet failed) {
        int state = mine * (other.segments.size() + 1) + theirs;
        if (failed.get(state)) {
            return false;
        }
        boolean found = coversHere(other, mine, theirs, ignoreCase, failed);
        failed.set(state, !found);
        return found;
    }

    private boolean coversHere(PathPattern other, int mine, int theirs, boolean ignoreCase, BitSet failed) {
        boolean isOver = theirs == other.segments.size();
        if (mine == segments.size()) {
            return isOver;
        }
        if (segments.get(mine) instanceof Segment.Remaining) {
            return covers(other, mine + 1, theirs, ignoreCase, failed)
                    || (!isOver && covers(other, mine, theirs + 1, ignoreCase, failed));
        }
        return !isOver
                && covers(segments.get(mine), other.segments.get(theirs), ignoreCase)
                && covers(other, mine + 1, theirs + 1, ignoreCase, failed);
    }

    private static boolean covers(Segment mine, Segment theirs, boolean ignoreCase) {
        if (theirs instanceof Segment.Remaining) {
            return false;
        }
        return theirs instanceof Segment.Literal literal
                ? accepts(mine, literal.text(), ignoreCase)
                : mine instanceof Segment.Any || mine.equals(theirs);
    }

    /** Whether some path might match both patterns. If the result is {@code false}, no path matches both. */
    public boolean overlaps(PathPattern other, boolean ignoreCase) {
        return overlaps(other, 0, 0, ignoreCase, new BitSet());
    }

    private boolean overlaps(PathPattern other, int mine, int theirs, boolean ignoreCase, BitSet failed) {
        int state = mine * (other.segments.size() + 1) + theirs;
        if (failed.get(state)) {
            return false;
        }
        boolean found = overlapsHere(other, mine, theirs, ignoreCase, failed);
        failed.set(state, !found);
        return found;
    }

    private boolean overlapsHere(PathPattern other, int mine, int theirs, boolean ignoreCase, BitSet failed) {
        Segment here = mine == segments.size() ? null : segments.get(mine);
        Segment there = theirs == other.segments.size() ? null : other.segments.get(theirs);
        if (here == null && there == null) {
            return true;
        }
        if (here instanceof Segment.Remaining) {
            return overlaps(other, mine + 1, theirs, ignoreCase, failed)
                    || (there != null && overlaps(other, mine, theirs + 1, ignoreCase, failed));
        }
        if (there instanceof Segment.Remaining) {
            return overlaps(other, mine, theirs + 1, ignoreCase, failed)
                    || (here != null && overlaps(other, mine + 1, theirs, ignoreCase, failed));
        }
        return here != null
                && there != null
                && mayMeet(here, there, ignoreCase)
                && overlaps(other, mine + 1, theirs + 1, ignoreCase, failed);
    }

    private static boolean mayMeet(Segment here, Segment there, boolean ignoreCase) {
        if (there instanceof Segment.Literal literal) {
            return accepts(here, literal.text(), ignoreCase);
        }
        return !(here instanceof Segment.Literal literal) || accepts(there, literal.text(), ignoreCase);
    }

    List<Segment> segments() {
        return segments;
    }

    @Override
    public String toString() {
        return text;
    }
}
