package dev.sluice.cli.explain;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.output.FileNotation;
import dev.sluice.cli.output.ProblemList;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.instance.reload.LimitsInForce;
import dev.sluice.internal.match.caller.HashedClient;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Client;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Limits;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sends one call to a new limiter, and prints what happens to the call, and why. */
@Command(
        name = "explain",
        description = {
            "Shows which endpoints in a file match a call, which counters count it, and the response.",
            "The call is the first one of a new limiter, and is not counted anywhere else.",
            "With --store, also shows the current counters in the store without changing them."
        },
        footer = {
            "",
            "For example:",
            "  sluice explain rate-limits.yml GET '/product/42?page=2' -H 'X-Org-Id: acme'",
            "",
            "Exit code: 0, even if nothing matches; 1 if the file cannot be used; 2 for wrong usage; "
                    + "4 if the store cannot be used."
        })
public final class Explain implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "FILE", description = "The limits file; - for standard input.")
    private String file = "";

    @Parameters(index = "1", paramLabel = "METHOD", description = "For example GET; case matters.")
    private String method = "";

    @Parameters(index = "2", paramLabel = "PATH", description = "The path as clients send it: encoded, with the query.")
    private String path = "";

    @Mixin
    private RequestOptions request = new RequestOptions();

    @Mixin
    private CallerOptions who = new CallerOptions();

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    Explain() {}

    @Override
    public Integer call() throws Exception {
        String written = request.asHttp(spec.commandLine(), method, path);
        UnaryOperator<Call> caller = who.caller(spec.commandLine());
        Instant moment = who.moment(spec.commandLine());
        ArgumentChecks.require(
                spec.commandLine(),
                !store.isGiven() || !who.namesMoment(),
                "--at and --store cannot be combined: the store contains only current counts");
        LimitsFile read = LimitsReader.read(ConfigSources.named(file), resolvers.names());
        new ProblemList(read.warnings()).printEach(spec.commandLine().getErr());
        if (read.tiers().hasRegionShare()) {
            printLine("regionShare "
                    + read.tiers().regionShare().stripTrailingZeros().toPlainString()
                    + ": thresholds are this region's share of those in the file");
        }
        if (!store.isGiven()) {
            ExplainedCall.Result result = ExplainedCall.of(read.limits(), written, caller, moment);
            print(read.limits(), result, StoredCounters.UNKNOWN);
            return ExitCode.OK;
        }
        try (StoreConnection open = store.open()) {
            // Windows follow the store's clock, which can differ from this machine's clock.
            long now = open.counters(LiveCounters::nowMillis);
            // Instances apply the limits that are set in the store, so this call must be subject to them too.
            List<StoredOverride> kept = open.overrides(OverrideStore::all);
            Limits limits = LimitsInForce.of(
                    read, kept.stream().map(StoredOverride::limit).toList());
            ExplainedCall.Result result = ExplainedCall.of(limits, written, caller, Instant.ofEpochMilli(now));
            print(limits, result, StoredCounters.of(open, result.call().explanations(), kept, now));
        }
        return ExitCode.OK;
    }

    private void print(Limits limits, ExplainedCall.Result result, StoredCounters counters) {
        ExplainedCall.SeenCall seen = result.call();
        NearMisses misses = new NearMisses(limits);
        if (seen.explanations().isEmpty()) {
            printLine("No endpoint matches " + seen.method() + " " + seen.path());
            misses.ofAnyKind(seen).forEach(line -> printLine("  " + line));
            return;
        }
        for (Endpoint endpoint : limits.endpoints()) {
            // We print the endpoints in file order, because readers expect that order.
            printMatch(byCaller(endpoint, seen.explanations()), limits, counters);
            if (seen.unknownInFront().contains(endpoint.id())) {
                printLine(
                        "  with Spring Security, the filter applies this endpoint before the login, so it limits this "
                                + "caller like everybody else; to apply it after the login, write when: "
                                + "{ principal: present }");
            }
        }
        misses.byPath(seen).forEach(this::printLine);
        printLine("");
        if (store.isGiven()) {
            counters.verdict(seen).forEach(this::printLine);
        } else {
            printAnswer(result);
        }
    }

    /**
     * Groups the tiers of an endpoint by caller. One call can have several callers if its path identifies the caller
     * and the path has several readings.
     */
    private static Collection<List<Explanation>> byCaller(Endpoint endpoint, List<Explanation> explanations) {
        return explanations.stream()
                .filter(one -> one.endpoint().id().equals(endpoint.id()))
                .collect(Collectors.groupingBy(
                        one -> Arrays.asList(
                                one.endpoint(),
                                one.client(),
                                one.plan(),
                                one.key().subjects()),
                        LinkedHashMap::new,
                        Collectors.toList()))
                .values();
    }

    private void printMatch(Collection<List<Explanation>> callers, Limits limits, StoredCounters counters) {
        boolean isFirst = true;
        for (List<Explanation> tiers : callers) {
            Endpoint endpoint = tiers.get(0).endpoint();
            printLine(FileNotation.endpoint(endpoint) + (isFirst ? "" : ", with the other reading of the path"));
            isFirst = false;
            Client client = tiers.get(0).client();
            if (client != null) {
                printLine("  " + FileNotation.client(HashedClient.of(client, limits.subjects())));
            }
            if (!tiers.get(0).plan().isEmpty()) {
                printLine("  plan " + tiers.get(0).plan());
            }
            counters.plans(limits, tiers.get(0)).forEach(line -> printLine("    " + line));
            if (FileNotation.isConditional(endpoint)) {
                printLine("  applies only when " + endpoint.when());
            }
            List<Subject> subjects = tiers.get(0).key().subjects();
            subjects.forEach(subject -> printLine(
                    "  " + FileNotation.subject(subject) + named(limits.plans().nameOf(subject))));
            if (subjects.isEmpty()) {
                printLine("  counts all callers together");
            }
            CountingNotes.of(endpoint, SubjectSources.isLogin(endpoint.per(), limits.subjects()))
                    .forEach(line -> printLine("  " + line));
            counters.limit(tiers.get(0)).forEach(line -> printLine("  " + line));
            for (Explanation tier : tiers) {
                printLine("  " + FileNotation.tier(tier.tier()));
                printLine("    key of its counter: " + tier.key().text());
                counters.usage(tier).forEach(line -> printLine("    " + line));
            }
        }
    }

    private static String named(@Nullable String name) {
        return name == null ? "" : ", which is " + name;
    }

    private void printAnswer(ExplainedCall.Result result) {
        AnswerRecorder.Answer answer = result.answer();
        DecisionNotes.of(result).forEach(this::printLine);
        printLine("A first call is answered " + answer.status()
                + (answer.headers().isEmpty() ? "." : " with these headers:"));
        answer.headers().forEach((name, value) -> printLine("  " + name + ": " + value));
    }

    /** Prints a line, and escapes control characters, because paths, clients and conditions can contain them. */
    private void printLine(String line) {
        spec.commandLine().getOut().println(SafeText.of(line));
    }
}
