package dev.sluice.config;

import dev.sluice.Endpoint;
import dev.sluice.GivenSubjects;
import dev.sluice.internal.config.shape.Nearest;
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
 * Warns once if code gives other subjects to {@code limiter.run} than the endpoints on that name are counted by. Such calls
 * would all be counted as one caller, and nobody would see it. Safe for any threads.
 */
final class UnfitSubjects {

    /** The most that are remembered, since code may make names up. */
    private static final int MOST = 1_000;

    private static final Set<String> PLAIN = Set.of("principal", "session", "ip");
    private static final Set<String> NAMED = Set.of("header", "query", "cookie", "attribute", "claim", "argument");

    private final Logger log;
    private final Supplier<String> fileName;
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private volatile Checked checked = new Checked(null, Set.of());

    /** What fits these limits, or was told not to. */
    private record Checked(@Nullable Limits limits, Set<Names> fits) {}

    /** What code gives to the endpoints on a name. */
    private record Names(String on, Set<String> given) {}

    UnfitSubjects(Logger log, Supplier<String> fileName) {
        this.log = log;
        this.fileName = fileName;
    }

    /** Looks once at each set of names that is given, until the limits change. */
    @SuppressWarnings("ReferenceEquality") // a snapshot is replaced as a whole
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

    /** What the log says, by the name that it is about. */
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
                        "does not say " + Quote.plain(subject) + ", by which the endpoint " + endpoint.id()
                                + " counts, so all such calls are counted as one caller. Given "
                                + given(names) + "; give a value of \"" + Quote.plain(subject)
                                + "\", null where there is none");
            }
        }
        String cost = endpoint.cost().name();
        if (cost.startsWith("argument:") && !sources.contains(cost)) {
            problems.put(
                    cost,
                    "does not say " + Quote.plain(cost) + ", which is the cost at the endpoint " + endpoint.id()
                            + ", so each such call costs 1. Given " + given(names) + "; give a value of \""
                            + Quote.plain(cost) + '"');
        }
    }

    /** Whether a source has this name: of those that the application registers, only the ones that subjects name are known. */
    private static boolean isSource(String name, Limits limits) {
        return isReadyMade(name)
                || limits.subjects().values().stream()
                        .flatMap(List::stream)
                        .anyMatch(
                                source -> SubjectSource.plainName(source.name()).equals(name));
    }

    /** Whether only code gives its value: those of the application and the others may find one elsewhere. */
    private static boolean isReadyMade(String source) {
        int colon = source.indexOf(':');
        return colon < 0 ? PLAIN.contains(source) : NAMED.contains(source.substring(0, colon));
    }

    private static String given(Names names) {
        return names.given.isEmpty()
                ? "is nothing"
                : "is " + names.given.stream().sorted().map(Quote::plain).collect(Collectors.joining(", "));
    }

    private static String unknown(String name, Limits limits) {
        String near = Nearest.to(name, limits.subjects().keySet());
        return "gives " + Quote.plain(name) + ", which is no subject and no source, so nothing counts by it"
                + (near == null ? "" : "; did you mean " + Quote.plain(near) + "?");
    }

    private static String comparable(String source) {
        String plain = SubjectSource.plainName(source);
        return plain.startsWith("header:") ? plain.toLowerCase(Locale.ROOT) : plain;
    }
}
