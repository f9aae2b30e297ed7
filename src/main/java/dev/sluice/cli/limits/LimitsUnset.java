package dev.sluice.cli.limits;

import dev.sluice.ClientOverride;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Takes back what has been set for a client at an endpoint. */
@Command(name = "unset", description = "Removes the limit of a client at an endpoint. The one in the file holds again.")
final class LimitsUnset implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ListedOverrides limits = new ListedOverrides();

    @Mixin
    private ClientAtEndpoint whom = new ClientAtEndpoint();

    LimitsUnset() {}

    @Override
    public Integer call() {
        ClientOverride limit = limits.limit(whom, "");
        if (!limits.in(source -> source.unset(limit))) {
            throw nothing(limit);
        }
        spec.commandLine()
                .getOut()
                .println(LimitsList.line(limit).strip() + ": removed, the limit in the file holds again");
        return ExitCodes.OK;
    }

    static CommandFailure nothing(ClientOverride limit) {
        return new CommandFailure("nothing is set for " + LimitsList.line(limit).strip());
    }
}
