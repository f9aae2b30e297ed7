package dev.sluice.cli.limits;

import dev.sluice.CounterKey;
import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.limits.check.ClientCounters;
import dev.sluice.cli.limits.check.ClientOptions;
import dev.sluice.cli.limits.check.NameCheck;
import dev.sluice.cli.limits.check.SeenCallers;
import dev.sluice.cli.limits.check.TypedClient;
import dev.sluice.cli.output.CountText;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.internal.limiter.rule.SharedLimits;
import dev.sluice.internal.store.admin.CounterGifts;
import dev.sluice.internal.store.admin.InstanceReport;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounter;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Tier;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The base class of commands that give a client more calls in the current windows. A command gives either a specified
 * number of calls, or all the calls that the client has used.
 */
abstract class GivingCalls {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "CLIENT",
            description = "A subject value, such as acme, or a subject with its value, as top shows it: tenant=acme.")
    private String client = "";

    @Option(names = "--tier", paramLabel = "NAME", description = "Gives calls only in this tier; default: all tiers.")
    private @Nullable String tier;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Mixin
    private NoteOptions notes = new NoteOptions();

    /** The word that denotes this change in a {@link StoredOverride}. The history shows this word instead of tiers. */
    private final String word;

    GivingCalls(String word) {
        this.word = word;
    }

    /**
     * Gives the calls, and prints the number of added calls for each counter.
     *
     * @param endpoint an endpoint id, or {@link ClientOverride#ALL_ENDPOINTS}
     * @param calls the number of calls to give to each counter; empty to give as many as the counter counts as used
     */
    final void give(String endpoint, OptionalLong calls) {
        if (!endpoint.matches("[A-Za-z0-9._-]{1,64}|\\*")) {
            throw new ParameterException(
                    spec.commandLine(), "'" + SafeText.cut(endpoint, 80) + "' cannot be the id of an endpoint");
        }
        TypedClient typed = options.typed(client);
        ArgumentChecks.require(
                spec.commandLine(),
                !typed.subject().equals(ClientOverride.PLAN),
                "a plan has no counts of its own; name one of its callers");
        try (StoreConnection open = options.openStore()) {
            Found found = StoreChange.before(() -> look(open, typed, endpoint));
            Optional<String> doubt = calls.isEmpty() // resetting a client without any counted calls fails anyway
                    ? Optional.empty()
                    : StoreChange.before(
                            () -> SeenCallers.doubt(open, found.instances(), found.known(), found.asked()));
            // All checks that can fail precede this line, because a change in the store cannot be undone.
            List<CounterGifts.Given> all = found.counters().isEmpty()
                    ? List.of()
                    : StoreChange.of(() -> open.gifts(gifts -> calls.isEmpty()
                            ? gifts.reset(found.counters())
                            : gifts.give(found.counters(), calls.getAsLong())));
            Map<String, List<CounterGifts.Given>> byEndpoint = new LinkedHashMap<>();
            all.stream()
                    .filter(given -> given.given() > 0)
                    .forEach(given -> byEndpoint
                            .computeIfAbsent(given.key().endpoint(), missing -> new ArrayList<>())
                            .add(given));
            byEndpoint.forEach((id, given) -> remember(open, found, id, given, calls));
            found.reasons().forEach(line -> spec.commandLine().getErr().println("note: " + line));
            if (byEndpoint.isEmpty()) {
                throw new CommandFailure(ExitCodes.NOTHING_SET, nothing(open, found, all));
            }
            doubt.ifPresent(text -> spec.commandLine().getErr().println("warning: " + text));
            BlockedCallers.notes(open, found.asked(), found.nowMillis())
                    .forEach(line -> spec.commandLine().getOut().println("  " + line));
        }
    }

    /**
     * The counters that the command has found before it makes any changes.
     *
     * @param counters the counters to which calls can be given
     * @param reasons sentences that explain why calls cannot be given to the other counters
     */
    private record Found(
            ClientOverride asked,
            List<FollowedFile> known,
            List<InstanceReport> instances,
            List<LiveCounter> counters,
            List<String> reasons,
            long nowMillis) {

        Rule rule(CounterKey key) {
            return counters.stream()
                    .filter(one -> one.key().equals(key))
                    .map(LiveCounter::rule)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Found look(StoreConnection open, TypedClient typed, String endpoint) {
        List<InstanceReport> instances = open.instances(Instances::all);
        List<FollowedFile> known = options.serviceFile().find(open, instances);
        if (known.isEmpty()) {
            throw new CommandFailure(
                    ExitCodes.FAILED,
                    "cannot tell which counters the client has, because "
                            + (instances.isEmpty()
                                    ? "no live instance uses this store"
                                    : "no instance reports its limits")
                            + "; name the file of the service with --config FILE; nothing was changed");
        }
        ClientOverride asked = options.meant(typed, endpoint, "", known);
        new NameCheck(asked, options.namesSubject()).requireEffect(known);
        long now = open.counters(LiveCounters::nowMillis);
        List<ClientOverride> kept = open.overrides(OverrideStore::all).stream()
                .map(StoredOverride::limit)
                .toList();
        ClientCounters possible = ClientCounters.find(open, asked, tier, known, kept, now);
        List<LiveCounter> counters = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        possible.alone()
                .forEach(one -> reasons.add("tier " + one.name()
                        + " is counted by each instance alone, so it cannot be given calls; it was not changed"));
        possible.shared().forEach((key, one) -> {
            Rule rule = SharedLimits.of(one, key.start(), key.end()).rule();
            if (CounterGifts.isPossible(rule)) {
                counters.add(new LiveCounter(key, rule));
            } else {
                String why = impossible(one);
                if (!reasons.contains(why)) {
                    reasons.add(why);
                }
            }
        });
        return new Found(asked, known, instances, counters, reasons, now);
    }

    private static String impossible(Tier tier) {
        return "tier " + tier.name()
                + " counts calls in flight, which cannot be given: slots become free as calls end; "
                + "to allow more concurrent calls, use set";
    }

    private void remember(
            StoreConnection open, Found found, String id, List<CounterGifts.Given> given, OptionalLong calls) {
        boolean hasMethods =
                given.stream().map(one -> one.key().method()).distinct().count() > 1;
        String what = given.stream()
                .map(one -> one.given() + " in " + one.key().tier()
                        + (hasMethods ? " of " + one.key().method() : ""))
                .distinct()
                .collect(Collectors.joining(", "));
        ClientOverride done = found.asked().at(id);
        StoreChange.of(() -> open.overrides(source -> source.remember(
                new ClientOverride(done.subject(), done.value(), id, word + SafeText.cut(what, 200)),
                notes.note(Duration.ZERO))));
        PrintWriter out = spec.commandLine().getOut();
        out.println((word.equals(StoredOverride.GIVE) ? "More calls are given: " : "The used calls are given back: ")
                + LimitText.line(done, found.known()));
        given.stream()
                .map(one -> "  " + line(found.rule(one.key()), one, calls))
                .distinct() // a client can have several counters, from different sources
                .forEach(out::println);
    }

    private static String line(Rule rule, CounterGifts.Given given, OptionalLong calls) {
        CounterKey key = given.key();
        return (key.method().equals("*") ? "" : key.method() + ", ") + "tier " + SafeText.cut(key.tier(), 80) + ": "
                + what(rule, given, calls) + left(given);
    }

    private static String what(Rule rule, CounterGifts.Given given, OptionalLong calls) {
        if (CounterGifts.hasWindow(rule)) {
            return CountText.of(given.given(), "call") + (given.given() == 1 ? " is" : " are")
                    + " added to the limit of this window"
                    + (given.inAll() == given.given() ? "" : ", " + given.inAll() + " with those given before");
        }
        boolean isAll = calls.isPresent() && given.given() < calls.getAsLong();
        return rule instanceof Rule.Bucket
                ? CountText.of(given.given(), "token") + (given.given() == 1 ? " was" : " were") + " added"
                        + (isAll ? ", so the bucket is full" : "")
                : CountText.of(given.given(), "call") + (given.given() == 1 ? " counts" : " count") + " no longer"
                        + (isAll ? ", and no counted calls remain" : "");
    }

    private static String left(CounterGifts.Given given) {
        return (given.held() == 0 ? "" : "; instances keep " + given.held() + " that they hold")
                + (given.lapsed() == 0
                        ? ""
                        : "; " + given.lapsed() + " still count as used, because an unresponsive instance held them");
    }

    private String nothing(StoreConnection open, Found found, List<CounterGifts.Given> all) {
        String held = all.stream()
                .map(GivingCalls::left)
                .filter(left -> !left.isEmpty())
                .findFirst()
                .orElse("");
        String doubt = SeenCallers.doubt(open, found.instances(), found.known(), found.asked())
                .map(text -> "; " + text)
                .orElse("");
        String endpoint = found.asked().endpoint();
        String where = endpoint.equals(ClientOverride.ALL_ENDPOINTS) ? "" : " at " + endpoint;
        return LimitText.line(found.asked().at("")) + " has used nothing in the current windows" + where + held + doubt;
    }
}
