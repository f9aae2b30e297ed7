package dev.sluice.benchmarks;

import dev.sluice.benchmarks.Duels.Duel;
import dev.sluice.benchmarks.Turns.Score;
import dev.sluice.benchmarks.fleet.steady.BesidePeers;
import dev.sluice.benchmarks.fleet.steady.BesidePeers.Round;
import dev.sluice.benchmarks.http.LimitedServer.Kind;
import dev.sluice.benchmarks.http.OverHttp;
import dev.sluice.results.Result;
import dev.sluice.results.Results;
import dev.sluice.results.ShownTables;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Measures Sluice and all other limiters in one session. Writes {@code benchmarks/results.csv}, and the tables on the
 * pages that show the results. This takes half an hour on two cores that have no other load. Fails immediately if the
 * code in the jar differs from the project's code.
 *
 * <p>With {@code --quick}, the session has fewer rounds, takes a few minutes, and only writes
 * {@code benchmarks/target/results.csv}. With {@code --only WORDS}, it only measures subjects with these words in their
 * names, such as {@code "token bucket"}, {@code counter}, {@code http} or {@code fleet}.
 *
 * <pre>java -cp target/benchmarks.jar dev.sluice.benchmarks.Peers</pre>
 */
public final class Peers {

    private static final int JVMS = 6;
    private static final int JVMS_OF_OWN = 4;
    private static final int JVMS_IF_QUICK = 1;
    private static final double MOST_LOAD = 0.5;

    private final Measured measured;
    private final boolean quick;
    private final String only;
    private final Results results;

    private Peers(Measured measured, boolean quick, String only, Results results) {
        this.measured = measured;
        this.quick = quick;
        this.only = only;
        this.results = results;
    }

    public static void main(String[] args) throws Exception {
        boolean quick = false;
        String only = "";
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--only") && i + 1 < args.length) {
                only = args[++i];
            } else {
                System.err.println("\"" + args[i] + "\" is not a known option; write [--quick] [--only WORDS]");
                System.exit(2);
            }
        }
        Measured measured = Measured.here();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (load > MOST_LOAD) {
            System.err.printf("The machine is busy (load %.1f), so the figures will be worse than usual.%n", load);
        }
        Path file = measured.project().resolve(Results.FILE);
        Results results = only.isEmpty() ? new Results() : Results.read(file);
        new Peers(measured, quick, only, results).measure();
        if (!quick) {
            results.write(file);
            ShownTables.writeInto(measured.project());
        }
        System.exit(0);
    }

    /**
     * Measures all subjects. Writes a draft after each subject, so that no figures are lost if a later subject fails.
     */
    private void measure() throws IOException, InterruptedException {
        Path draft = measured.project().resolve(Path.of("src", "benchmarks", "target", "results.csv"));
        for (Duel duel : Duels.ALL) {
            if (duel.name().contains(only)) {
                fight(duel);
                results.write(draft);
            }
        }
        if (isWanted("counter")) {
            Memory.measure().forEach((when, bytes) -> put("counter", when, "heap", "bytes", bytes));
            MemoryInProcess.measure().forEach((who, bytes) -> put("counter in one process", who, "heap", "bytes", bytes));
            results.write(draft);
        }
        if (isWanted("start")) {
            start();
            results.write(draft);
        }
        for (Kind server : Kind.values()) {
            if (isWanted("http")) {
                serve(server);
                results.write(draft);
            }
        }
        if (isWanted("fleet")) {
            playFleets();
            results.write(draft);
        }
    }

    private boolean isWanted(String part) {
        return part.contains(only);
    }

    private void start() throws IOException {
        for (int endpoints : new int[] {10, 1_000}) {
            Starts.Ready ready = Starts.starts(endpoints);
            put("start", endpoints + " endpoints", "first", "ms", ready.first());
            put("start", endpoints + " endpoints", "second", "ms", ready.second());
        }
        Starts.Reloads reloads = Starts.reloads();
        put("reload", "1000 endpoints", "longest call", "ms", reloads.worstMillis());
        put("reload", "none", "longest call", "ms", reloads.calmMillis());
    }

    private void serve(Kind server) throws IOException, InterruptedException {
        Optional<List<OverHttp.Round>> played = OverHttp.play(server, quick);
        if (played.isEmpty()) {
            throw new IOException("the HTTP load requires wrk, which is not installed");
        }
        String subject = "http on " + server.name().toLowerCase(Locale.ROOT);
        List<OverHttp.Round> rounds = played.get();
        put(subject, "sluice", "throughput", "a second", of(rounds, round -> round.sluice().perSecond()));
        put(subject, "own", "throughput", "a second", of(rounds, round -> round.own().perSecond()));
        put(subject, "sluice / own", "throughput", "x", of(rounds, OverHttp.Round::throughput));
        put(subject, "sluice", "p99", "ms", of(rounds, round -> round.sluice().p99Millis()));
        put(subject, "own", "p99", "ms", of(rounds, round -> round.own().p99Millis()));
        put(subject, "sluice - own", "p99", "ms", of(rounds, OverHttp.Round::laterMillis));
    }

    private void fight(Duel duel) throws IOException {
        int jvms = quick ? JVMS_IF_QUICK : duel.kind() == Duels.Kind.OWN ? JVMS_OF_OWN : JVMS;
        List<Score> scores = Turns.fight(duel, jvms);
        put(duel.subject(), duel.pair(), "first time", "ns", of(scores, Score::ourNanos));
        put(duel.subject(), duel.pair(), "second time", "ns", of(scores, Score::theirNanos));
        put(duel.subject(), duel.pair(), "ratio", "x", of(scores, Score::ratio));
    }

    private void playFleets() {
        Map<String, List<Round>> played = new LinkedHashMap<>();
        for (Round round : BesidePeers.play(quick)) {
            String subject = round.times() < 1 ? "fleet at 0.4 times the limit" : "fleet at 2 times the limit";
            played.computeIfAbsent(subject + ";" + round.contestant().replace(",", ""), key -> new ArrayList<>())
                    .add(round);
        }
        played.forEach((key, rounds) -> {
            String subject = key.substring(0, key.indexOf(';'));
            String contestant = key.substring(key.indexOf(';') + 1);
            if (rounds.get(0).times() < 1) {
                put(subject, contestant, "added p50", "µs", of(rounds, round -> round.added().p50()));
                put(subject, contestant, "added p99", "µs", of(rounds, round -> round.added().p99()));
                put(subject, contestant, "added p99.9", "µs", of(rounds, round -> round.added().p999()));
                put(subject, contestant, "processor", "µs", of(rounds, Round::processorMicros));
            }
            put(subject, contestant, "commands", "a call", of(rounds, Round::commands));
            put(subject, contestant, "round trips", "an instance and second", of(rounds, Round::roundTrips));
            put(subject, contestant, "unused", "%", of(rounds, Round::unusedPercent));
            put(subject, contestant, "over", "%", of(rounds, Round::overMost));
        });
    }

    private static <T> double[] of(List<T> rounds, ToDoubleFunction<T> figure) {
        return rounds.stream().mapToDouble(figure).toArray();
    }

    private void put(String subject, String contestant, String figure, String unit, double... rounds) {
        Result result = measured.result(subject, contestant, figure, unit, rounds);
        System.out.printf("%-30s %-30s %-14s %12.3f %s%n", subject, contestant, figure, result.value(), unit);
        results.put(result);
    }
}
