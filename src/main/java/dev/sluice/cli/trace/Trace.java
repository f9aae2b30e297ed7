package dev.sluice.cli.trace;

import dev.sluice.Endpoint;
import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.JvmShutdown;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.CallerFilter;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.cli.text.CountText;
import dev.sluice.internal.config.shape.Durations;
import dev.sluice.internal.config.shape.Nearest;
import dev.sluice.internal.match.caller.CountedValue;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.internal.store.operated.CounterNames;
import dev.sluice.internal.store.operated.InstanceReport;
import dev.sluice.internal.store.operated.Instances;
import dev.sluice.internal.store.operated.LiveCounters;
import dev.sluice.internal.store.operated.TraceLine;
import dev.sluice.internal.store.operated.TraceRequest;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.SubjectSource;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Follows one caller over the fleet: each exchange about one of its counters, and each of its calls that waits. */
@Command(
        name = "trace",
        description = {
            "Follows one caller over all instances: each exchange with the store about it, and each call that waits.",
            "Instances start to report within five seconds, and stop by themselves."
        },
        footer = {
            "",
            "For example:",
            "  sluice trace get-product acme --store redis://localhost:6379",
            "",
            "Exit code: 0 for success, even if nothing happened; 2 for wrong usage; 3 if there is no such endpoint or "
                    + "subject, or no instance; 4 if the store cannot be used; 1 for anything else."
        })
public final class Trace implements Runnable {

    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration LONGEST_END = Duration.ofSeconds(2);
    private static final long LOOK_MILLIS = 500;
    /** Each instance writes once a second, so after this time its lines are in the store. */
    private static final long LATE_MILLIS = 2_500;

    private static final int LONGEST_LINE = 2_000;
    private static final int LONGEST_NAME = 60;
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "ENDPOINT", description = "The id of an endpoint in the file.")
    private String endpoint = "";

    @Parameters(
            index = "1",
            paramLabel = "CALLER",
            description = "The value of a subject, such as acme, or with the subject, as top shows it: tenant=acme.")
    private String caller = "";

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    @Option(
            names = "--for",
            paramLabel = "DURATION",
            description = "How long to follow the caller, at most 5m; default: ${DEFAULT-VALUE}.",
            defaultValue = "1m")
    private String lasts = "";

    private volatile boolean isInterrupted;

    Trace() {}

    @Override
    public void run() {
        Duration duration = Durations.parse(lasts);
        ArgumentChecks.require(
                spec.commandLine(),
                duration != null && !duration.isZero() && duration.compareTo(LONGEST) <= 0,
                "--for '" + lasts + "' is not a duration from 1ms to 5m; write 1m");
        ArgumentChecks.require(
                spec.commandLine(),
                !store.uri().equals(CounterStores.MEMORY),
                "--store memory: there is nothing to follow, since an instance without a store counts alone; sluice "
                        + "explain shows which limits a call meets");
        try (StoreConnection open = store.open()) {
            List<InstanceReport> instances = open.instances(Instances::heads);
            if (instances.isEmpty()) {
                throw new CommandFailure(
                        ExitCodes.UNKNOWN_NAME,
                        "no instance reports to " + open.name() + ", so there is nothing to follow; check that the "
                                + "services run and use this store");
            }
            TraceRequest request = request(serviceFile.find(open, instances), duration == null ? LONGEST : duration);
            follow(open, request, instances.size());
        }
    }

    /** What to trace, if there can be such a caller. */
    private TraceRequest request(List<FollowedFile> files, Duration duration) {
        FollowedFile file = files.stream()
                .filter(one -> one.endpoint(endpoint).isPresent())
                .findFirst()
                .orElse(null);
        if (file == null) {
            String near = Nearest.to(
                    endpoint,
                    files.stream()
                            .flatMap(one -> one.limits().endpoints().stream().map(Endpoint::id))
                            .toList());
            throw new CommandFailure(
                    ExitCodes.UNKNOWN_NAME,
                    "there is no endpoint " + SafeText.cut(endpoint, LONGEST_NAME)
                            + (near == null ? "" : "; did you mean " + SafeText.cut(near, LONGEST_NAME) + "?"));
        }
        String name = caller.substring(0, Math.max(0, caller.indexOf('=')));
        boolean isNamed = file.limits().subjects().containsKey(name);
        List<String> per = file.endpoint(endpoint).map(Endpoint::per).orElse(List.of());
        String subject = isNamed ? name : per.size() == 1 ? per.get(0) : "";
        String value = isNamed ? caller.substring(name.length() + 1) : caller;
        if (isNamed && !per.contains(name)) {
            throw new CommandFailure(
                    ExitCodes.UNKNOWN_NAME,
                    endpoint + " counts "
                            + (per.isEmpty() ? "all callers together" : "by " + String.join(" and ", per)) + ", not by "
                            + name);
        }
        return new TraceRequest(
                UUID.randomUUID().toString(), endpoint, subject, counted(file, subject, value), duration.toMillis());
    }

    /** The subject's value in counters: for a secret, its hash. */
    private String counted(FollowedFile file, String subject, String value) {
        List<SubjectSource> sources = file.limits().subjects().entrySet().stream()
                .filter(one -> subject.isEmpty() || one.getKey().equals(subject))
                .flatMap(one -> one.getValue().stream())
                .toList();
        if (serviceFile.given() != null && !subject.isEmpty()) {
            return CountedValue.ofNamed(CountedValue.of(sources, value));
        }
        if (CountedValue.mayBeClearSecret(sources, value)) {
            throw new CommandFailure(
                    ExitCodes.UNKNOWN_NAME,
                    (subject.isEmpty() ? "a subject" : "the " + subject)
                            + " is secret, and what you typed may be a secret, which must not get into the store; let "
                            + "--config FILE, the file of the service, hash it, or type the hash that the log shows");
        }
        return CountedValue.ofNamed(value);
    }

    private void follow(StoreConnection open, TraceRequest request, int instances) {
        if (!open.instances(source -> source.beginTrace(request))) {
            throw new CommandFailure(Instances.MOST_TRACES + " traces run already; each ends within five minutes");
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(open.name() + "  "
                + SafeText.cut(request.subject() + (request.subject().isEmpty() ? "" : "=") + request.value(), 80)
                + " at " + endpoint + ", on " + CountText.of(instances, "instance") + ", for "
                + Durations.shortest(Duration.ofMillis(request.leftMillis())));
        printBlocks(open, request, out);
        out.flush();
        JvmShutdown end = new JvmShutdown(LONGEST_END, () -> isInterrupted = true);
        try (end) {
            print(open, request, out);
        } finally {
            open.instances(source -> source.endTrace(request.id()));
        }
    }

    /** Prints blocks, since a blocked caller is refused without an exchange, so the trace would show nothing. */
    private static void printBlocks(StoreConnection open, TraceRequest request, PrintWriter out) {
        long now = open.counters(LiveCounters::nowMillis);
        BlockedCallers.of(open, CallerFilter.ALL, now).stream()
                .filter(block -> request.concerns(block.key()))
                .forEach(block -> out.println("  " + BlockedCallers.line(block) + ": blocked "
                        + BlockedCallers.end(block, now) + "; calls are refused without an exchange"));
    }

    /** Prints lines in the order of their time, once all instances should have written theirs. */
    private void print(StoreConnection open, TraceRequest request, PrintWriter out) {
        PriorityQueue<TraceLine> lines = new PriorityQueue<>(Comparator.comparingLong(TraceLine::atMillis)
                .thenComparing(TraceLine::server)
                .thenComparingLong(TraceLine::number));
        long offsetMillis = open.counters(LiveCounters::nowMillis) - nanoMillis();
        long endMillis = nanoMillis() + request.leftMillis() + LATE_MILLIS;
        while (nanoMillis() < endMillis && !isInterrupted) {
            pause();
            lines.addAll(open.instances(source -> source.takeLines(request.id())));
            printUntil(nanoMillis() + offsetMillis - LATE_MILLIS, lines, out);
        }
        printUntil(Long.MAX_VALUE, lines, out);
    }

    private static long nanoMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    private void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            isInterrupted = true;
        }
    }

    private static void printUntil(long millis, PriorityQueue<TraceLine> lines, PrintWriter out) {
        for (TraceLine line = lines.peek(); line != null && line.atMillis() <= millis; line = lines.peek()) {
            out.println(TIME.format(Instant.ofEpochMilli(line.atMillis())) + "  "
                    + SafeText.cut(line.server(), LONGEST_NAME) + "  "
                    + SafeText.cut(withoutCaller(line.text()), LONGEST_LINE));
            lines.remove();
        }
        out.flush();
    }

    /** Replaces the counter's key in a line by its method and tier, unless the key has other subjects too. */
    private static String withoutCaller(String line) {
        int at = line.lastIndexOf("; sluice:");
        return at < 0
                ? line
                : CounterNames.parse(line.substring(at + 2))
                        .filter(key -> key.subjects().size() == 1)
                        .map(key -> line.substring(0, at) + "; "
                                + (key.method().equals("*") ? "any method" : key.method()) + ", tier " + key.tier())
                        .orElse(line);
    }
}
