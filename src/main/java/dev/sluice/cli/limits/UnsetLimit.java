package dev.sluice.cli.limits;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.limits.check.ClientAtEndpoint;
import dev.sluice.limits.ClientOverride;
import dev.sluice.store.operated.OverrideStore;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Removes the limit of a client from the store. */
@Command(
        name = "unset",
        aliases = "remove",
        description = "Removes the limit of a client at an endpoint. The one in the file holds again.")
final class UnsetLimit implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClientAtEndpoint target = new ClientAtEndpoint();

    @Mixin
    private WaitOption waiting = new WaitOption();

    UnsetLimit() {}

    @Override
    public Integer call() throws InterruptedException {
        waiting.check();
        ClientOverride limit = target.limit("");
        try (StoreConnection open = target.openStore()) {
            boolean isGone = StoreChange.of(() -> open.overrides(source -> source.unset(limit)));
            if (!isGone) {
                throw NoSuchLimit.of(limit, open.overrides(OverrideStore::all));
            }
            spec.commandLine().getOut().println(LimitText.line(limit) + ": removed, the limit in the file holds again");
            return waiting.report(open);
        }
    }
}
