package dev.sluice.cli.limits;

import dev.sluice.ClientOverride;
import dev.sluice.Sync;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.config.tier.TierText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Sets what a client is allowed at an endpoint. */
@Command(name = "set", description = "Sets the limit of a client at an endpoint. It replaces the one in the file.")
final class LimitsSet implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ListedOverrides limits = new ListedOverrides();

    @Mixin
    private ClientAtEndpoint whom = new ClientAtEndpoint();

    @Parameters(index = "2", paramLabel = "TIERS", description = "Calls in a period: 5000/10s, or 100/1s,5000/10s.")
    private String tiers = "";

    LimitsSet() {}

    @Override
    public Integer call() {
        ClientOverride limit = limits.limit(whom, tiers);
        try {
            var unused = TierText.parse(tiers, Sync.DEFAULT);
        } catch (IllegalArgumentException e) {
            throw limits.usage(String.valueOf(e.getMessage()));
        }
        limits.in(source -> source.set(limit));
        spec.commandLine().getOut().println(LimitsList.line(limit));
        return ExitCodes.OK;
    }
}
