package dev.sluice.cli.limits;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.cli.limits.check.NameCheck;
import dev.sluice.cli.output.Columns;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.store.admin.LiveCounters;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Sync;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows all client limits that are set in the store. */
@Command(
        name = "list",
        description = "Shows all limits that are set in the store, with their expiry, operator and reason.")
final class ListLimits implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "Shows only limits of clients that this subject identifies.")
    private @Nullable String subject;

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    ListLimits() {}

    @Override
    public void run() {
        try (StoreConnection open = store.open()) {
            List<StoredOverride> all = open.overrides(OverrideStore::all).stream()
                    .filter(kept ->
                            subject == null || subject.equals(kept.limit().subject()))
                    .sorted(Comparator.comparing(StoredOverride::limit, EffectiveTiers.ORDER))
                    .toList();
            long now = open.counters(LiveCounters::nowMillis);
            List<FollowedFile> known = all.isEmpty() ? List.of() : serviceFile.findIfAnswered(open);
            PrintWriter out = spec.commandLine().getOut();
            if (!all.isEmpty()) {
                table(all, known, now).textLines().forEach(out::println);
            }
            all.forEach(kept -> problem(kept.limit(), known)
                    .ifPresent(why -> out.println(LimitText.line(kept.limit()) + " has no effect: " + why)));
            if (all.isEmpty()) {
                spec.commandLine().getErr().println("no limits are set" + (subject == null ? "" : " for that subject"));
            }
        }
    }

    private static Columns table(List<StoredOverride> all, List<FollowedFile> known, long nowMillis) {
        Columns columns = new Columns();
        columns.row("client", "endpoint", "limit", "until", "set", "by", "why");
        for (StoredOverride kept : all) {
            ClientOverride limit = kept.limit();
            List<String> cells = new ArrayList<>(List.of(
                    LimitText.client(limit, known), LimitNotes.cell(limit.endpoint()), LimitNotes.cell(limit.tiers())));
            cells.addAll(LimitNotes.cells(kept, nowMillis));
            columns.row(cells);
        }
        return columns;
    }

    /**
     * Explains why instances ignore the limit, or why the limit has no effect; empty if it has an effect on at least
     * one instance.
     */
    private static Optional<String> problem(ClientOverride limit, List<FollowedFile> known) {
        try {
            var unused = OverrideText.parse(limit, Sync.DEFAULT);
        } catch (IllegalArgumentException e) {
            return Optional.of(SafeText.cut(String.valueOf(e.getMessage()), 200));
        }
        return new NameCheck(limit, true).problemEverywhere(known);
    }
}
