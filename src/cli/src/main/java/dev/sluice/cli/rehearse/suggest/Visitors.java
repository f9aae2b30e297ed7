package dev.sluice.cli.rehearse.suggest;

import dev.sluice.cli.output.CountText;
import dev.sluice.cli.rehearse.format.LoggedCall;
import dev.sluice.internal.text.SafeText;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes visitors whose calls must not affect the fitted limits. These are crawlers, which identify themselves, and
 * scanners, which mostly request paths that do not exist. This class must see all calls before it is queried.
 */
final class Visitors {

    private static final Pattern CRAWLER = Pattern.compile(
            "[\\w-]*(?:(?<!cu)bot\\b|crawler|spider|slurp|facebookexternalhit)[\\w-]*", Pattern.CASE_INSENSITIVE);
    private static final Set<String> STATIC =
            Set.of("avif css eot gif ico jpeg jpg js map mjs mp4 otf png svg ttf txt webm webmanifest webp woff woff2"
                    .split(" "));
    /**
     * Statuses that scanners often receive, because they guess paths and request pages that they are not allowed to
     * see.
     */
    private static final Set<Integer> MISSES = Set.of(400, 403, 404, 405, 410);

    private static final int FEWEST_MISSES = 5;
    private static final int MOST_KEPT = 50_000;
    private static final int MOST_NAMED = 5;
    private static final int LONGEST_NAME = 40;

    private final Map<String, Long> crawlers = new HashMap<>();
    private final Map<String, Long> extensions = new TreeMap<>();
    /**
     * The numbers of calls and misses of each address, counted from the address's first miss. A miss is a call
     * whose response has one of the statuses in {@link #MISSES}.
     */
    private final Map<String, int[]> addresses = new HashMap<>();

    void see(LoggedCall call) {
        String extension = extension(call);
        if (extension != null) {
            extensions.merge(extension, 1L, Long::sum);
        }
        String crawler = crawler(call);
        if (crawler != null) {
            // Callers choose their user agents, so we bound the number of names.
            if (crawlers.containsKey(crawler) || crawlers.size() < MOST_KEPT) {
                crawlers.merge(crawler, 1L, Long::sum);
            }
            return;
        }
        boolean isMiss = isMiss(call);
        int[] figures = addresses.get(call.ip());
        if (figures == null && isMiss && addresses.size() < MOST_KEPT) {
            figures = new int[2];
            addresses.put(call.ip(), figures);
        }
        if (figures != null) {
            figures[0]++;
            figures[1] += isMiss ? 1 : 0;
        }
    }

    /** Determines which addresses are scanners. Must be called after all calls have been seen. */
    void finish() {
        addresses.values().removeIf(figures -> figures[1] < FEWEST_MISSES || 2 * figures[1] < figures[0]);
    }

    /**
     * Whether limits should be fitted to this call. This is the case if it comes neither from a crawler nor from a
     * scanner.
     */
    boolean isUsual(LoggedCall call) {
        return crawler(call) == null && !addresses.containsKey(call.ip());
    }

    static boolean isStatic(LoggedCall call) {
        return extension(call) != null;
    }

    static boolean isMiss(LoggedCall call) {
        return MISSES.contains(call.status());
    }

    /** Returns the name of the crawler that made the call; {@code null} if the user agent does not identify one. */
    static @Nullable String crawler(LoggedCall call) {
        String agent = call.header("User-Agent");
        Matcher found = agent == null ? null : CRAWLER.matcher(agent);
        return found == null || !found.find() ? null : SafeText.cut(found.group(), LONGEST_NAME);
    }

    private static @Nullable String extension(LoggedCall call) {
        String path = call.path();
        int dot = path.lastIndexOf('.');
        if (dot < 0 || path.indexOf('/', dot) >= 0) {
            return null;
        }
        String extension = path.substring(dot + 1).toLowerCase(Locale.ROOT);
        return STATIC.contains(extension) ? extension : null;
    }

    /** Returns comments about the callers that are ignored when limits are fitted. */
    String remarks() {
        String most = crawlers.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(MOST_NAMED)
                .map(one -> one.getKey() + " (" + CountText.of(one.getValue(), "call") + ")")
                .collect(Collectors.joining(", "));
        String more = crawlers.size() > MOST_NAMED ? ", …" : "";
        String named = crawlers.isEmpty()
                ? ""
                : "# The limits apply to crawlers too, but are not fitted to them: " + most + more + ".\n";
        String scanners = addresses.size() == 1 ? "1 address" : addresses.size() + " addresses";
        return addresses.isEmpty()
                ? named
                : named + "# The limits are not fitted to " + scanners + ", which mostly requested paths that "
                        + "do not exist.\n";
    }

    /** Returns a comment about static files; empty if there were none. */
    String remarkOnFiles() {
        long calls = extensions.values().stream().mapToLong(Long::longValue).sum();
        return calls == 0
                ? ""
                : "# Static files have no limit: " + CountText.of(calls, "call") + " for "
                        + String.join(", ", extensions.keySet()) + ".\n";
    }
}
