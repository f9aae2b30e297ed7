package dev.sluice.cli.limits;

import dev.sluice.ClientOverride;
import dev.sluice.cli.command.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what has been set for a client at an endpoint. */
@Command(name = "get", description = "Shows the limit that has been set for a client at an endpoint.")
final class LimitsGet implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ListedOverrides limits = new ListedOverrides();

    @Mixin
    private ClientAtEndpoint whom = new ClientAtEndpoint();

    LimitsGet() {}

    @Override
    public Integer call() {
        ClientOverride asked = limits.limit(whom, "");
        ClientOverride found = limits.all().stream()
                .filter(limit ->
                        limit.value().equals(asked.value()) && limit.endpoint().equals(asked.endpoint()))
                .findFirst()
                .orElseThrow(() -> LimitsUnset.nothing(asked));
        spec.commandLine().getOut().println(found.tiers());
        return ExitCodes.OK;
    }
}
