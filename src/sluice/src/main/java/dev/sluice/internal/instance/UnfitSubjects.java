package dev.sluice.internal.instance;

import dev.sluice.Endpoint;
import dev.sluice.GivenSubjects;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs a warning if code calls {@code limiter.run} without the subjects that key the endpoints. Without the
 * warning, developers could easily overlook that all such calls share one counter. Each problem is logged once.
 * Thread-safe.
 */
final class UnfitSubjects {

    /** The maximum number of sets of names that are remembered. It is limited because code might generate names. */
    private static final int MOST = 1_000;

    private static final Set<String> PLAIN = Set.of("principal", "session", "ip");
    private static final Set<String> NAMED = Set.of("header", "query", "cookie", "attribute", "claim", "argument");

    private final Logger log;
    private final Supplier<String> fileName;
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private volatile Checked checked = new Checked(null, Set.of());

    /** The sets of names that have been checked against the given limits. */
    private record Checked(@Nullable Limits limits, Set<Names> fits) {}

    /** The names of the subjects that code passes with one {@code on} name. */
    private record Names(String on, Set<String> given) {}

    UnfitSubjects(Logger log, Supplier<String> fileName) {
        this.log = log;
        this.fileName = fileName;
    }

    /** Checks the given names, unless they have already been checked against the same limits. */
    @SuppressWarnings("ReferenceEquality") // a snapshot is immutable, and changes replace it
    void check(String on, GivenSubjects given, Limits limits) {
        Checked known = checked;
        if (known.limits != limits) {
            known = new Checked(limits, ConcurrentHashMap.newKeySet());
            checked = known;
        }
        Names names = new Names(on, given.names());
        if (known.fits.contains(names) || known.fits.size() >= MOST || !known.fits.add(names)) {
            return;
        }
        problems(names, limits).forEach((key, problem) -> {
            if (told.size() < MOST && told.add(on + ' ' + key)) {
                log.warn("{}: limiter.run(\"{}\", …) {}", fileName.get(), Quote.plain(on), problem);
            }
        });
    }

    /** The problems to log, by the name of the affected subject or cost. */
    private static Map<String, String> problems(Names names, Limits limits) {
        Map<String, String> problems = new LinkedHashMap<>();
        Set<String> sources =
                names.given.stream().map(UnfitSubjects::comparable).collect(Collectors.toCollection(TreeSet::new));
        boolean isOn = false;
        for (Endpoint endpoint : limits.endpoints()) {
            if (names.on.equals(endpoint.on())) {
                isOn = true;
                addMissing(endpoint, names, sources, limits, problems);
            }
        }
        if (isOn && problems.isEmpty()) {
            names.given.stream()
                    .filter(name ->
                            !limits.subjects().containsKey(name) && !isSource(SubjectSource.plainName(name), limits))
                    .forEach(name -> problems.put(name, unknown(name, limits)));
        }
        return problems;
    }

    private static void addMissing(
            Endpoint endpoint, Names names, Set<String> sources, Limits limits, Map<String, String> problems) {
        for (String subject : endpoint.per()) {
            List<SubjectSource> chain = limits.subjects().getOrDefault(subject, List.of());
            boolean maybeFound = names.given.contains(subject)
                    || chain.stream()
                            .map(source -> comparable(source.name()))
                            .anyMatch(source -> sources.contains(source) || !isReadyMade(source));
            if (!maybeFound) {
                problems.put(
                        subject,
                        "does not pass " + Quote.plain(subject) + ", which the endpoint " + endpoint.id()
                                + " is keyed by, so all these calls share one counter. It passes "
                                + given(names) + "; pass a value for \"" + Quote.plain(subject) + "\", or null if "
                                + "there is none");
            }
        }
        String cost = endpoint.cost().name();
        if (cost.startsWith("argument:") && !sources.contains(cost)) {
            problems.put(
                    cost,
                    "does not pass " + Quote.plain(cost) + ", which is the cost at the endpoint " + endpoint.id()
                            + ", so each of these calls costs 1. It passes " + given(names) + "; pass a value for \""
                            + Quote.plain(cost) + '"');
        }
    }

    /**
     * Whether there is a source with the given name. Recognises the application's own sources only if a subject uses
     * them.
     */
    private static boolean isSource(String name, Limits limits) {
        return isReadyMade(name)
                || limits.subjects().values().stream()
                        .flatMap(List::stream)
                        .anyMatch(
                                source -> SubjectSource.plainName(source.name()).equals(name));
    }

    /**
     * Whether only the calling code can provide the value of a source. All other sources, including the application's
     * own, could find a value elsewhere.
     */
    private static boolean isReadyMade(String source) {
        int colon = source.indexOf(':');
        return colon < 0 ? PLAIN.contains(source) : NAMED.contains(source.substring(0, colon));
    }

    private static String given(Names names) {
        return names.given.isEmpty()
                ? "nothing"
                : names.given.stream().sorted().map(Quote::plain).collect(Collectors.joining(", "));
    }

    private static String unknown(String name, Limits limits) {
        String near = Nearest.to(name, limits.subjects().keySet());
        return "gives " + Quote.plain(name) + ", which is neither a subject nor a source, so no endpoint is keyed by it"
                + (near == null ? "" : "; did you mean " + Quote.plain(near) + "?");
    }

    private static String comparable(String source) {
        String plain = SubjectSource.plainName(source);
        return plain.startsWith("header:") ? plain.toLowerCase(Locale.ROOT) : plain;
    }
}
