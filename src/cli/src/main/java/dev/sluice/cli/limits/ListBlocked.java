package dev.sluice.cli.limits;

import dev.sluice.Block;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.BlockedCallers;
import dev.sluice.cli.fleet.CallerFilter;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.cli.output.TimeText;
import dev.sluice.internal.store.admin.LiveCounters;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows all blocked callers. */
@Command(
        name = "blocked",
        description = "Shows the blocked callers, one per line, with the endpoint, the tier, the times and the reason.")
final class ListBlocked implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(names = "--endpoint", paramLabel = "ID", description = "Shows only this endpoint.")
    private @Nullable String endpoint;

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    ListBlocked() {}

    @Override
    public void run() {
        try (StoreConnection open = store.open()) {
            long now = open.counters(LiveCounters::nowMillis);
            List<Block> blocked =
                    BlockedCallers.of(open, new CallerFilter(Optional.empty(), Optional.ofNullable(endpoint)), now);
            List<FollowedFile> known = blocked.isEmpty() ? List.of() : serviceFile.findIfAnswered(open);
            blocked.forEach(block -> spec.commandLine()
                    .getOut()
                    .println(BlockedCallers.line(block, known) + " since " + TimeText.moment(block.sinceMillis()) + ' '
                            + BlockedCallers.end(block, now) + ": " + BlockedCallers.cause(block)));
            if (blocked.isEmpty()) {
                spec.commandLine().getErr().println("nobody is blocked" + (endpoint == null ? "" : " there"));
            }
        }
    }
}
