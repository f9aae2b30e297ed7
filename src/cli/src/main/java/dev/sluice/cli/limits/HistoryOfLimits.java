package dev.sluice.cli.limits;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.limits.check.ClientAtEndpoint;
import dev.sluice.cli.limits.check.ClientOptions;
import dev.sluice.cli.limits.check.TypedClient;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows which limits were set, unset and reset, and what was given, by whom and why. */
@Command(
        name = "history",
        description = {
            "Shows which limits were set, unset and reset, and what was given, in the last 90 days, by whom and "
                    + "why, latest first.",
            "The store remembers the last 10000 changes."
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
            all.forEach(one -> spec.commandLine().getOut().println(line(one, known)));
            if (all.isEmpty()) {
                spec.commandLine().getErr().println("nothing was set or unset in the last 90 days");
            }
        }
    }

    /**
     * For example {@code 2026-11-23T11:00:00Z set tenant=acme get-product 5000/10s, until … by eve@ops-1: a sale}.
     */
    private static String line(StoredOverride change, List<FollowedFile> known) {
        String tiers = change.limit().tiers();
        String word = Stream.of(StoredOverride.RESET, StoredOverride.GIVE)
                .filter(tiers::startsWith)
                .findFirst()
                .orElse("");
        ClientOverride limit = new ClientOverride(
                change.limit().subject(),
                change.limit().value(),
                change.limit().endpoint(),
                tiers.substring(word.length()));
        String until = change.untilMillis() == 0 ? "" : ", until " + TimeText.moment(change.untilMillis());
        String by = change.by().isEmpty() ? "" : ", by " + SafeText.cut(change.by(), 200);
        String why = change.why().isEmpty() ? "" : ": " + SafeText.cut(change.why(), 200);
        return TimeText.moment(change.setMillis())
                + String.format("  %-7s", tiers.isEmpty() ? "unset" : word.isEmpty() ? "set" : word.strip())
                + LimitText.line(limit, known)
                + until
                + by
                + why;
    }
}
