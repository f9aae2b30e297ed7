package dev.sluice.cli.limits;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.limits.check.ClientAtEndpoint;
import dev.sluice.internal.store.admin.Instances;
import dev.sluice.internal.store.admin.OverrideStore;
import dev.sluice.limits.ClientOverride;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Removes the limit of a client from the store. */
@Command(
        name = "unset",
        aliases = "remove",
        description =
                "Removes the limit of a client or a plan at an endpoint. The limit in the file then applies again, or "
                        + "the limit that is set for the client's plan.")
final class UnsetLimit implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ClientAtEndpoint target = new ClientAtEndpoint();

    @Mixin
    private NoteOptions notes = new NoteOptions();

    @Mixin
    private WaitOption waiting = new WaitOption();

    UnsetLimit() {}

    @Override
    public Integer call() throws InterruptedException {
        waiting.check();
        ClientOverride typed = target.place();
        try (StoreConnection open = target.openStore()) {
            ClientOverride limit = unset(open, typed) ? typed : unsetByName(open, typed);
            spec.commandLine()
                    .getOut()
                    .println("The limit is removed, and the one in the file "
                            + (limit.isOfPlan() ? "" : "or of the client's plan ") + "applies again: "
                            + LimitText.line(limit));
            return waiting.report(open);
        }
    }

    private boolean unset(StoreConnection open, ClientOverride limit) {
        return StoreChange.of(() -> open.overrides(source -> source.unset(limit, notes.note(Duration.ZERO))));
    }

    /** Interprets the argument as the display name of a client. */
    private ClientOverride unsetByName(StoreConnection open, ClientOverride typed) {
        List<FollowedFile> known = target.serviceFile().find(open, open.instances(Instances::heads));
        ClientOverride limit = target.meant(typed, known);
        if (limit.equals(typed) || !unset(open, limit)) {
            throw NoSuchLimit.of(limit, open.overrides(OverrideStore::all));
        }
        return limit;
    }
}
