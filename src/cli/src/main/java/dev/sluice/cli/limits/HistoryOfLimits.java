package dev.sluice.cli.limits;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.cli.limits.check.ClientAtEndpoint;
import dev.sluice.cli.limits.check.ClientOptions;
import dev.sluice.cli.limits.check.TypedClient;
import dev.sluice.cli.output.Columns;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Shows the changes that operators have made in the store: limits that were set or unset, and calls that were given.
 */
@Command(
        name = "history",
        description = {
            "Shows the changes of the last 90 days, latest first: limits that were set or unset, and calls that "
                    + "were given, with the operator and the reason.",
            "The store keeps the last 10000 changes."
        })
final class HistoryOfLimits implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", arity = "0..1", paramLabel = "CLIENT", description = "Shows only changes for this client.")
    private @Nullable String client;

    @Mixin
    private ClientOptions options = new ClientOptions();

    HistoryOfLimits() {}

    @Override
    public void run() {
        TypedClient typed = client == null ? null : options.typed(client);
        try (StoreConnection open = options.openStore()) {
            List<StoredOverride> all = open.overrides(OverrideStore::history);
            List<FollowedFile> known = typed == null
                    ? options.serviceFile().findIfAnswered(open)
                    : options.serviceFile().find(open, open.instances(Instances::heads));
            if (typed != null) {
                ClientOverride asked = options.meant(typed, "", "", known);
                all = all.stream()
                        .filter(one -> ClientAtEndpoint.isSame(one.limit().at(""), asked))
                        .toList();
            }
            if (!all.isEmpty()) {
                table(all, known).textLines().forEach(spec.commandLine().getOut()::println);
            }
            if (all.isEmpty()) {
                spec.commandLine().getErr().println("nothing was set or unset in the last 90 days");
            }
        }
    }

    private static Columns table(List<StoredOverride> all, List<FollowedFile> known) {
        Columns columns = new Columns();
        columns.row("time", "change", "client", "endpoint", "limit or calls", "until", "by", "why");
        all.forEach(one -> columns.row(cells(one, known)));
        return columns;
    }

    private static List<String> cells(StoredOverride change, List<FollowedFile> known) {
        ClientOverride limit = change.limit();
        String tiers = limit.tiers();
        String word = Stream.of(StoredOverride.RESET, StoredOverride.GIVE)
                .filter(tiers::startsWith)
                .findFirst()
                .orElse("");
        return List.of(
                TimeText.moment(change.setMillis()),
                tiers.isEmpty() ? "unset" : word.isEmpty() ? "set" : word.strip(),
                LimitText.client(limit, known),
                LimitNotes.cell(limit.endpoint()),
                LimitNotes.cell(tiers.substring(word.length())),
                change.untilMillis() == 0 ? "-" : TimeText.moment(change.untilMillis()),
                LimitNotes.cell(change.by()),
                LimitNotes.cell(change.why()));
    }
}
