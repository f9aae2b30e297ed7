package dev.sluice.cli.limits;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.cli.fleet.PossibleCounters;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.cli.limits.check.ClientAtEndpoint;
import dev.sluice.cli.limits.check.NameCheck;
import dev.sluice.cli.output.FileNotation;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Sync;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows the limit of a client in the file and in the store, and the client's remaining calls. */
@Command(
        name = "get",
        description = {
            "Shows the limit of a client at an endpoint, in the file and in the store, and the remaining calls.",
            "With --plan, shows the limit of all callers on that plan that do not have their own limit."
        })
final class GetLimit implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClientAtEndpoint target = new ClientAtEndpoint();

    GetLimit() {}

    @Override
    public Integer call() {
        ClientOverride typed = target.place();
        try (StoreConnection open = target.openStore()) {
            List<FollowedFile> known = target.serviceFile().find(open, open.instances(Instances::heads));
            ClientOverride asked = target.meant(typed, known);
            List<StoredOverride> all = open.overrides(OverrideStore::all);
            Optional<StoredOverride> kept = set(asked, all);
            List<StoredOverride> ofPlans = kept.isPresent() ? List.of() : ofPlans(known, asked, all);
            if (known.isEmpty() && kept.isEmpty()) {
                throw NoSuchLimit.of(asked, all);
            }
            // If the store contains a limit, the names are correct, even if they no longer occur in any file.
            if (kept.isEmpty()) {
                new NameCheck(asked, target.namesSubject()).requireEffect(known);
            }
            print(open, asked, all, kept.map(List::of).orElse(ofPlans), known);
            return kept.isEmpty() && ofPlans.isEmpty() ? ExitCodes.NOTHING_SET : ExitCode.OK;
        }
    }

    /**
     * Returns the limits of plans that could apply to a client. They apply if the client is on such a plan and does not
     * have its own limit.
     */
    private static List<StoredOverride> ofPlans(
            List<FollowedFile> known, ClientOverride asked, List<StoredOverride> all) {
        if (asked.isOfPlan()) {
            return List.of();
        }
        return known.stream()
                .flatMap(file -> new EffectiveTiers(file.limits(), List.of()).plans(asked).stream())
                .distinct()
                .flatMap(plan -> set(ClientOverride.ofPlan(plan, asked.endpoint(), ""), all).stream())
                .toList();
    }

    /** Returns the limit that is set for this client or plan at the endpoint or, if there is none, at all endpoints. */
    private static Optional<StoredOverride> set(ClientOverride asked, List<StoredOverride> all) {
        return Stream.of(asked, asked.at(ClientOverride.ALL_ENDPOINTS))
                .flatMap(limit -> all.stream().filter(one -> ClientAtEndpoint.isSame(one.limit(), limit)))
                .findFirst();
    }

    private void print(
            StoreConnection open,
            ClientOverride asked,
            List<StoredOverride> all,
            List<StoredOverride> set,
            List<FollowedFile> known) {
        PrintWriter out = spec.commandLine().getOut();
        long now = open.counters(LiveCounters::nowMillis);
        out.println(LimitText.line(asked, known));
        boolean isForAll = asked.endpoint().equals(ClientOverride.ALL_ENDPOINTS);
        for (FollowedFile one : isForAll ? List.<FollowedFile>of() : known) {
            List<String> lines = ofFile(one, asked, known);
            out.println("  file   " + lines.get(0));
            lines.stream().skip(1).forEach(line -> out.println("         " + line));
            if (isUncertain(one, asked)) {
                out.println(
                        "         or a limit for a hashed client in that file; to see it, name the file with --config");
            }
        }
        if (set.isEmpty()) {
            out.println("  store  nothing is set");
        }
        set.forEach(one -> out.println("  store  " + ofPlan(one, asked)
                + SafeText.cut(one.limit().tiers(), 200) + ofAll(one, isForAll) + LimitNotes.of(one, now)));
        if (asked.isOfPlan()) {
            return;
        }
        List<FollowedFile> limiting = known.stream()
                .filter(one -> one.endpoint(asked.endpoint()).isPresent())
                .toList();
        Set<String> left = new LinkedHashSet<>();
        for (FollowedFile one : limiting) {
            one.endpoint(asked.endpoint())
                    .ifPresent(endpoint -> left.addAll(left(open, one, endpoint, asked, all, now)));
        }
        if (left.isEmpty() && !limiting.isEmpty()) {
            left.add("nothing is used");
        }
        left.forEach(line -> out.println("  now    " + line));
        if (set.stream().allMatch(GetLimit::isFactor)) { // limits that consist of tiers never block callers
            BlockedCallers.notes(open, asked, now).forEach(line -> out.println("         " + line));
        }
    }

    private static boolean isFactor(StoredOverride kept) {
        try {
            return OverrideText.parse(kept.limit(), Sync.DEFAULT).tiers().isEmpty();
        } catch (IllegalArgumentException e) {
            return true; // the limit has no effect
        }
    }

    private static String ofPlan(StoredOverride kept, ClientOverride asked) {
        return kept.limit().isOfPlan() && !asked.isOfPlan()
                ? "for plan " + SafeText.cut(kept.limit().value(), 200) + ": "
                : "";
    }

    private static String ofAll(StoredOverride kept, boolean isAskedForAll) {
        return kept.limit().endpoint().equals(ClientOverride.ALL_ENDPOINTS) && !isAskedForAll
                ? " for all endpoints"
                : "";
    }

    private static List<String> ofFile(FollowedFile one, ClientOverride asked, List<FollowedFile> known) {
        Optional<Endpoint> endpoint = one.endpoint(asked.endpoint());
        if (endpoint.isEmpty()) {
            return List.of("no such endpoint in " + one.among(known));
        }
        EffectiveTiers effective = new EffectiveTiers(one.limits(), List.of());
        String where = " (" + one.among(known) + ")";
        List<EffectiveTiers.Found> all = effective.of(endpoint.get(), asked);
        if (all.size() == 1) {
            String from = all.get(0).origin().equals("file")
                    ? ""
                    : ", by " + SafeText.cut(all.get(0).origin(), 200);
            return List.of(FileNotation.tiers(all.get(0).tiers()) + from + where);
        }
        List<String> lines = new ArrayList<>();
        lines.add(effective.planNamer(EffectiveTiers.subjects(asked)) + where);
        all.forEach(found -> lines.add(found.text()));
        return lines;
    }

    private static boolean isUncertain(FollowedFile one, ClientOverride asked) {
        return one.endpoint(asked.endpoint()).isPresent()
                && new EffectiveTiers(one.limits(), List.of()).isUncertain(asked);
    }

    /** Returns the current usage of each counter that has counted calls. */
    private static List<String> left(
            StoreConnection open,
            FollowedFile one,
            Endpoint endpoint,
            ClientOverride asked,
            List<StoredOverride> all,
            long nowMillis) {
        List<String> others = endpoint.per().stream()
                .filter(name -> !name.equals(asked.subject()))
                .toList();
        if (!others.isEmpty()) {
            return List.of("there is a separate counter for each " + String.join(" and ", others)
                    + "; see sluice top --client " + SafeText.cut(asked.value(), 200));
        }
        EffectiveTiers effective = new EffectiveTiers(
                one.limits(), all.stream().map(StoredOverride::limit).toList());
        return effective.of(endpoint, asked).stream()
                .flatMap(found -> left(open, one, endpoint, asked, found, nowMillis))
                .toList();
    }

    private static Stream<String> left(
            StoreConnection open,
            FollowedFile one,
            Endpoint endpoint,
            ClientOverride asked,
            EffectiveTiers.Found found,
            long nowMillis) {
        List<StoredUsage.Asked> counters = new ArrayList<>();
        for (Subject subject : PossibleCounters.subjects(one.limits(), asked.subject(), asked.value())) {
            counters.addAll(PossibleCounters.of(endpoint, subject, found.tiers(), nowMillis));
        }
        return StoredUsage.of(open, counters, nowMillis, true).stream()
                .filter(standing -> standing.used() + standing.held() > 0)
                .map(standing -> (standing.key().method().equals("*")
                                ? "any method"
                                : standing.key().method()) + ", tier "
                        + standing.tier().name() + ": " + standing.text() + found.byPlan()
                        + standing.lapses().stream().map(line -> "; " + line).collect(Collectors.joining()));
    }
}
