package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.Value.Text;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Guesses which known word a user meant by a misspelt word. */
public final class Nearest {

    private static final int LONGEST = 40;

    /** The names that other rate limiters use for this file's keys. Users might write these names out of habit. */
    private static final Map<String, Set<String>> OTHER_NAMES = Map.ofEntries(
            Map.entry("pathPattern", Set.of("path", "paths", "pattern", "patterns", "route", "uri", "url")),
            Map.entry("except", Set.of("exclude", "excluded", "excludes", "exclusions", "ignore", "unless")),
            Map.entry("threshold", Set.of("calls", "capacity", "count", "limit", "max", "quota", "rate", "requests")),
            Map.entry("burst", Set.of("capacity")),
            Map.entry("period", Set.of("duration", "interval", "per", "seconds", "time", "window")),
            Map.entry("algorithm", Set.of("kind", "strategy", "type")),
            Map.entry("methods", Set.of("method", "verb", "verbs")),
            Map.entry("per", Set.of("by", "key", "subject", "subjects")),
            Map.entry("tiers", Set.of("limit", "limits", "rate", "rates")),
            Map.entry("endpoints", Set.of("definitions", "limits", "rules")),
            Map.entry("when", Set.of("condition", "conditions", "if")),
            Map.entry("regionShare", Set.of("portion", "region", "share")),
            Map.entry("id", Set.of("name")),
            Map.entry("tenant", Set.of("client", "customer", "id", "name", "org", "organization")),
            Map.entry("uri", Set.of("address", "host", "server")),
            Map.entry("status", Set.of("code", "httpStatus", "statusCode")),
            Map.entry("body", Set.of("message", "response", "text")),
            Map.entry("between", Set.of("hours", "time", "times")),
            Map.entry("zone", Set.of("timeZone", "time-zone", "timezone", "tz")),
            Map.entry("exempt", Set.of("skip", "unlimited", "whitelist")));

    /** The words that other rate limiters use for values in this file. */
    private static final Map<String, Set<String>> OTHER_WORDS = Map.ofEntries(
            Map.entry("dry-run", Set.of("report", "shadow")),
            Map.entry("enforce", Set.of("on", "true")),
            Map.entry("allow", Set.of("fail-open", "open")),
            Map.entry("deny", Set.of("closed", "fail-closed")),
            Map.entry("ietf", Set.of("draft", "draft-6", "draft-7", "draft-8")),
            Map.entry("token-bucket", Set.of("bucket", "gcra", "token")),
            Map.entry("leaky-bucket", Set.of("leaky")),
            Map.entry("fixed-window", Set.of("fixed")),
            Map.entry("sliding-window", Set.of("sliding")),
            Map.entry("none", Set.of("false", "hidden", "hide", "no", "off")),
            Map.entry("shown", Set.of("show", "true", "visible", "x-ratelimit")),
            Map.entry("fleet", Set.of("cluster", "global")),
            Map.entry("server", Set.of("instance", "local")));

    private Nearest() {}

    /**
     * Guesses which known key a user meant by an unknown one. Compares both spelling and meaning. Returns {@code null}
     * if there is no guess.
     */
    public static @Nullable String keyMeant(String key, Set<String> known) {
        String near = to(key, known);
        return near != null ? near : byOtherName(key, known);
    }

    /**
     * Returns a hint that suggests a known word with a similar spelling or the same meaning; empty if there is no such
     * word.
     */
    static String meaning(Text text, Collection<String> known) {
        String meant = text.isSubstituted() ? null : byOtherName(text.content(), known, OTHER_WORDS);
        return meant == null ? hint(text, known, "") : "did you mean " + meant + "?";
    }

    /** Returns the known key for which another rate limiter uses this name; {@code null} if there is none. */
    static @Nullable String byOtherName(String key, Collection<String> known) {
        return byOtherName(key, known, OTHER_NAMES);
    }

    private static @Nullable String byOtherName(
            String other, Collection<String> known, Map<String, Set<String>> otherNames) {
        return known.stream()
                .filter(word -> otherNames.getOrDefault(word, Set.of()).contains(other))
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns a hint that suggests a known word with a similar spelling; the default hint if there is no such word. The
     * hint reveals no secrets.
     */
    public static String hint(Text text, Collection<String> known, String byDefault) {
        String guess = text.isSubstituted() ? null : to(text.content(), known);
        return guess == null ? byDefault : "did you mean " + guess + "?";
    }

    /** Returns the most similar known word; {@code null} if no word is similar. */
    public static @Nullable String to(String word, Collection<String> known) {
        String best = null;
        int least = Math.max(1, word.length() / 3) + 1;
        for (String candidate : known) {
            if (word.length() > LONGEST || Math.abs(word.length() - candidate.length()) >= least) {
                continue; // the words cannot be similar, so skip the slow comparison
            }
            int distance = distance(lower(word), lower(candidate));
            if (distance < least) {
                best = candidate;
                least = distance;
            }
        }
        return best;
    }

    /** Computes the Levenshtein distance, except that swapping two neighbouring characters counts as one edit. */
    static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : step(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int step(int[][] edits, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
        least = Math.min(least, edits[i - 1][j - 1] + (same ? 0 : 1));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
    }

    private static String lower(String word) {
        return word.toLowerCase(Locale.ROOT);
    }
}
