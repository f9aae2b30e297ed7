package dev.sluice.cli.limits;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Groups the commands for limits of clients that are kept in the store. */
@Command(
        name = "limits",
        description =
                "Sets and shows limits of single clients. Every instance on the store follows, without a deployment.",
        subcommands = {LimitsSet.class, LimitsGet.class, LimitsList.class, LimitsUnset.class},
        footer = {
            "",
            "For example:",
            "  sluice limits set acme get-product 5000/10s --store redis://localhost:6379",
            "",
            "Exit code: 0 if all is well; 1 if the store cannot be reached or has no such limit; 2 for wrong usage."
        })
public final class LimitsCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    LimitsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with limits: set, get, list or unset");
    }
}
