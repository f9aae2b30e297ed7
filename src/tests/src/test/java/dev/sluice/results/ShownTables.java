package dev.sluice.results;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The tables of pages that show results, between {@code <!-- results: NAME -->} and {@code <!-- /results -->}. As
 * {@code main}, writes them anew.
 *
 * <pre>java -cp src/tests/target/test-classes dev.sluice.results.ShownTables</pre>
 */
public final class ShownTables {

    /** The command that writes the tables anew. */
    static final String COMMAND = "java -cp src/tests/target/test-classes dev.sluice.results.ShownTables";

    /** The pages that have such tables. */
    static final List<Path> PAGES = List.of(Path.of("README.md"), Path.of("docs", "performance.md"));

    private static final String BEGIN = "<!-- results: ";
    private static final String END = "<!-- /results -->";

    private static final String CALM = "fleet at 0.4 times the limit";
    private static final String OVERLOAD = "fleet at 2 times the limit";

    /**
     * A limiter of a fleet.
     *
     * @param name in the results
     * @param shown in the README; empty if it is not shown there
     * @param shortly on the page of figures
     */
    private record Limiter(String name, String shown, String shortly) {}

    private static final List<Limiter> LIMITERS = List.of(
            new Limiter("nothing", "", "nothing"),
            new Limiter("sluice", "**Sluice**", "**Sluice**"),
            new Limiter("article", "count in memory, report each second", "published"),
            new Limiter("incr per call", "one `INCR` a call, as Envoy ratelimit does", "one INCR a call"),
            new Limiter("gcra per call", "GCRA in one script a call, as redis-cell counts", "GCRA, one script a call"),
            new Limiter("bucket4j", "Bucket4j", "Bucket4j"),
            new Limiter("bucket4j delaying", "Bucket4j, delaying", "Bucket4j, delaying"),
            new Limiter("bucket4j predicting", "Bucket4j, predicting", "Bucket4j, predicting"));

    /**
     * Two limiters that were compared in one process.
     *
     * @param subject in the results
     * @param pair in the results
     * @param what the measured work
     * @param other the limiter with which it is compared
     * @param goal the most that the ratio may be
     */
    private record Duel(String subject, String pair, String what, String other, double goal) {}

    private static final List<Duel> PEERS = List.of(
            new Duel("decision", "Sluice / bare Caffeine", "A decision", "a bare Caffeine look-up and an increment", 2),
            new Duel("filter by address", "Sluice / Tomcat", "A request, one limit", "Tomcat's `RateLimitFilter`", 1),
            new Duel("filter of 10 endpoints", "Sluice / Tomcat", "A request, ten endpoints", "Tomcat's filter", 1),
            new Duel("filter by address", "Sluice / Jetty", "A request, all callers alike", "Jetty's `DoSFilter`", 1),
            new Duel("token bucket", "Sluice / Bucket4j", "A token bucket", "Bucket4j", 1),
            new Duel("token bucket", "Sluice / Guava", "A token bucket", "Guava's `RateLimiter`", 1),
            new Duel("fixed window", "Sluice / Resilience4j", "A fixed window", "Resilience4j's `RateLimiter`", 1));

    private static final List<Duel> LARGE_FILES = List.of(
            new Duel("filter of 100 endpoints", "Sluice / Tomcat", "A request, 100 endpoints", "Tomcat's filter", 1.1),
            new Duel("decision", "1000 / 10 endpoints", "1,000 endpoints in the file", "10 endpoints", 1.3),
            new Duel("decision", "1000 / 10 endings", "1,000 endpoints that differ in an ending", "10 endpoints", 1.3),
            new Duel("decision", "10000 / 10 clients", "10,000 clients in the file", "10 clients", 1.1));

    private static final List<Duel> ALGORITHMS = List.of(
            new Duel("algorithm", "sliding window / fixed window", "sliding window", "", 1.5),
            new Duel("algorithm", "four frames / fixed window", "sliding window of four frames", "", 1.5),
            new Duel("algorithm", "sliding log / fixed window", "sliding log", "", 1.5),
            new Duel("algorithm", "token bucket / fixed window", "token bucket", "", 1.5),
            new Duel("algorithm", "leaky bucket / fixed window", "leaky bucket", "", 1.5));

    /**
     * A subject that is compared with bare look-ups.
     *
     * @param subject in the results
     * @param goal the most that the ratio to a look-up in the forgetful cache may be
     */
    private record Decided(String subject, String what, double goal) {}

    private static final List<Decided> DECIDED = List.of(
            new Decided("admitted of 1 caller", "admitted, 1 caller", 1.1),
            new Decided("admitted of 10000 callers", "admitted, 10,000 callers", 1.1),
            new Decided("admitted of 1000000 callers", "admitted, a million callers", 1.1),
            new Decided("refused of 1 caller", "refused, 1 caller", 1.1),
            new Decided("refused of 10000 callers", "refused, 10,000 callers", 1.1),
            new Decided("admitted hashed of 1 caller", "admitted, 1 caller, hashed before", 1.1),
            new Decided("refused hashed of 1 caller", "refused, 1 caller, hashed before", 1.1));

    /**
     * A state of a shared counter.
     *
     * @param goal the most bytes that it may take; 0 if there is no goal
     */
    private record Memory(String when, String shown, double goal) {}

    private static final List<Memory> MEMORY = List.of(
            new Memory("in a batch", "shared, in a batch that is not answered yet", 0),
            new Memory("one second after its call", "shared, one second after the first call", 690),
            new Memory("called every two seconds", "shared, called every two seconds", 780),
            new Memory("dormant", "shared, 25 s after the last call", 298));

    private ShownTables() {}

    /** Writes the tables of the results file into all pages. */
    public static void main(String[] args) throws IOException {
        writeInto(Path.of(""));
    }

    /** The same for the project in this folder. */
    public static void writeInto(Path project) throws IOException {
        Results results = Results.read(project.resolve(Results.FILE));
        for (Path page : PAGES) {
            Path file = project.resolve(page);
            Files.writeString(file, filled(Files.readString(file), results));
        }
    }

    /** The page with the tables of these results. Where there are no results for a table, it has no lines. */
    static String filled(String page, Results results) {
        List<String> lines = new ArrayList<>();
        boolean inTable = false;
        for (String line : page.split("\n", -1)) {
            if (line.startsWith(BEGIN)) {
                String name = line.substring(BEGIN.length(), line.indexOf(" -->"));
                lines.add(line);
                lines.addAll(table(name, results));
                inTable = true;
            } else if (line.equals(END)) {
                inTable = false;
            }
            if (!inTable) {
                lines.add(line);
            }
        }
        if (inTable) {
            throw new IllegalArgumentException("a table of results has no " + END);
        }
        return String.join("\n", lines);
    }

    private static List<String> table(String name, Results results) {
        return switch (name) {
            case "fleet" -> fleet(results);
            case "peers" -> duels(results, PEERS);
            case "look-ups" -> lookUps(results);
            case "http" -> http(results);
            case "start" -> start(results);
            case "memory in process" -> memoryInProcess(results);
            case "large files" -> duels(results, LARGE_FILES);
            case "algorithms" -> algorithms(results);
            case "redis" -> redis(results);
            case "memory" -> memory(results);
            default -> throw new IllegalArgumentException("there is no table \"" + name + "\" of results");
        };
    }

    /** Compares the limiters of a fleet, in a table for readers in a hurry. */
    private static List<String> fleet(Results results) {
        Table table = new Table(
                results,
                "Three instances limit by",
                "refused early",
                "passed beyond it",
                "added to a call",
                "at p99",
                "Redis commands a call");
        for (Limiter limiter : LIMITERS) {
            if (!limiter.shown.isEmpty() && results.has(CALM, limiter.name)) {
                table.row(
                        limiter.shown,
                        table.cell(OVERLOAD, limiter.name, "unused"),
                        table.cell(OVERLOAD, limiter.name, "over"),
                        table.cell(CALM, limiter.name, "added p50"),
                        table.cell(CALM, limiter.name, "added p99"),
                        table.cell(CALM, limiter.name, "commands"));
            }
        }
        return table.lines();
    }

    private static List<String> duels(Results results, List<Duel> duels) {
        Table table = new Table(results, "What is measured", "Sluice", "The other", "Ratio", "Goal");
        for (Duel duel : duels) {
            table.find(duel.subject, duel.pair, "ratio").ifPresent(ratio -> {
                String others = table.cell(duel.subject, duel.pair, "second time");
                table.row(
                        duel.what,
                        table.cell(duel.subject, duel.pair, "first time"),
                        others.equals("-") ? duel.other : duel.other + ", " + others,
                        Table.ratio(ratio),
                        goal(duel.goal, ratio));
            });
        }
        return table.lines();
    }

    /** A decision of one endpoint in proportion to a look-up in two kinds of cache. */
    private static List<String> lookUps(Results results) {
        Table table = new Table(results, "", "Sluice", "ratio, bounded", "ratio, forgetful", "Goal");
        for (Decided decided : DECIDED) {
            Optional<Result> bare = table.find(decided.subject, "Sluice / bare Caffeine", "ratio");
            Optional<Result> forgetful = table.find(decided.subject, "Sluice / forgetful Caffeine", "ratio");
            if (bare.isPresent() && forgetful.isPresent()) {
                table.row(
                        decided.what,
                        table.cell(decided.subject, "Sluice / bare Caffeine", "first time"),
                        Figures.ratio(bare.get().value()),
                        Figures.ratio(forgetful.get().value()),
                        goal(decided.goal, forgetful.get()));
            }
        }
        return table.lines();
    }

    private static List<String> algorithms(Results results) {
        Table table = new Table(results, "Algorithm", "time relative to a fixed window", "Goal");
        for (Duel duel : ALGORITHMS) {
            table.find(duel.subject, duel.pair, "ratio")
                    .ifPresent(ratio -> table.row(duel.what, Table.ratio(ratio), goal(duel.goal, ratio)));
        }
        return table.lines();
    }

    /** The load of a fleet on Redis. */
    private static List<String> redis(Results results) {
        Table table = new Table(
                results, "", "added p50", "p99", "p99.9", "commands per call", "Redis CPU per call", "round trips");
        for (Limiter limiter : LIMITERS) {
            if (results.has(CALM, limiter.name)) {
                table.row(
                        limiter.shortly,
                        table.cell(CALM, limiter.name, "added p50"),
                        table.cell(CALM, limiter.name, "added p99"),
                        table.cell(CALM, limiter.name, "added p99.9"),
                        table.cell(CALM, limiter.name, "commands"),
                        table.cell(CALM, limiter.name, "processor"),
                        table.cell(CALM, limiter.name, "round trips"));
            }
        }
        return table.lines();
    }

    private static List<String> memory(Results results) {
        Table table = new Table(results, "", "Bytes", "Goal");
        for (Memory memory : MEMORY) {
            table.find("counter", memory.when, "heap")
                    .ifPresent(bytes -> table.row(
                            memory.shown,
                            Figures.shown(bytes.value()),
                            memory.goal == 0 ? "" : goal(memory.goal, bytes)));
        }
        return table.lines();
    }

    /** The limiters of one process, the smallest first, as in the results. */
    private static List<String> memoryInProcess(Results results) {
        Table table = new Table(results, "In one process", "Bytes per caller");
        for (String who : List.of(
                "fixed window", "token bucket", "leaky bucket", "sliding window", "four frames", "sliding log")) {
            table.find("counter in one process", who, "heap")
                    .ifPresent(bytes -> table.row("Sluice, " + who, Figures.shown(bytes.value())));
        }
        for (String who : List.of("Bucket4j", "Resilience4j", "Guava")) {
            table.find("counter in one process", who, "heap")
                    .ifPresent(bytes -> table.row(who, Figures.shown(bytes.value())));
        }
        return table.lines();
    }

    private static List<String> http(Results results) {
        Table table = new Table(
                results,
                "Server",
                "calls per second",
                "with its own filter",
                "ratio",
                "Goal",
                "p99",
                "with its own filter",
                "difference, ms",
                "Goal");
        for (String server : List.of("Tomcat", "Jetty")) {
            String subject = "http on " + server.toLowerCase(Locale.ROOT);
            table.find(subject, "sluice / own", "throughput").ifPresent(ratio -> {
                Optional<Result> later = table.find(subject, "sluice - own", "p99");
                table.row(
                        server,
                        table.cell(subject, "sluice", "throughput"),
                        table.cell(subject, "own", "throughput"),
                        Table.ratio(ratio),
                        "0.98" + (ratio.value() >= 0.98 ? ", met" : ", missed"),
                        table.cell(subject, "sluice", "p99"),
                        table.cell(subject, "own", "p99"),
                        later.map(Table::ranged).orElse("-"),
                        later.map(most -> goal(0.2, most)).orElse(""));
            });
        }
        return table.lines();
    }

    private static List<String> start(Results results) {
        Table table = new Table(results, "", "Median", "Goal");
        start(table, "10 endpoints", 150, 250);
        start(table, "1000 endpoints", 300, 0);
        table.find("reload", "1000 endpoints", "longest call")
                .ifPresent(longest -> table.row(
                        "longest call while 1,000 endpoints are replaced",
                        Figures.withUnit(longest.value(), "ms"),
                        goal(5, longest)));
        table.find("reload", "none", "longest call")
                .ifPresent(longest -> table.row(
                        "longest call in the same time without a reload", Figures.withUnit(longest.value(), "ms"), ""));
        return table.lines();
    }

    private static void start(Table table, String file, double goal, double goalOfFirst) {
        ready(table, file, "second", ", classes loaded", goal);
        ready(table, file, "first", ", first in its process", goalOfFirst);
    }

    private static void ready(Table table, String file, String figure, String when, double goal) {
        table.find("start", file, figure)
                .ifPresent(ready -> table.row(
                        "ready with " + file + when,
                        Figures.withUnit(ready.value(), "ms"),
                        goal == 0 ? "" : goal(goal, ready)));
    }

    private static String goal(double most, Result measured) {
        String goal = most == Math.rint(most) ? String.format(Locale.ROOT, "%.0f", most) : Double.toString(most);
        return goal + (measured.value() <= most ? ", met" : ", missed");
    }
}
