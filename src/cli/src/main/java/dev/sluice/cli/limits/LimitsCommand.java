package dev.sluice.cli.limits;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands for client limits in the store. */
@Command(
        name = "limits",
        description = "Sets and shows limits of individual clients and whole plans, gives calls, and ends blocks. All "
                + "instances that use the store apply the changes without a deployment.",
        subcommands = {
            SetLimit.class,
            GetLimit.class,
            ListLimits.class,
            UnsetLimit.class,
            GiveCalls.class,
            ResetLimit.class,
            HistoryOfLimits.class,
            ListBlocked.class,
            Unblock.class
        },
        footer = {
            "",
            "For example:",
            "  sluice limits set acme get-product 5000/10s --for 2h --why 'sale' \\",
            "    --store redis://localhost:6379",
            "  sluice limits set acme '*' x2 --for 2h --store redis://localhost:6379",
            "  sluice limits set --plan pro '*' x2 --for 2h --store redis://localhost:6379",
            "",
            "Exit code: 0 for success; 2 for wrong usage; 3 if there is no such client, endpoint or subject, so "
                    + "nothing was done; 4 if the store cannot be used; 5 if get or unset finds no limit, give or "
                    + "reset can give nothing, or unblock finds no block; 6 if the limit is saved, but not all "
                    + "instances have applied it; 1 for any other failure."
        })
public final class LimitsCommand implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    LimitsCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "name a command: set, get, list, unset, give, reset, history, blocked or unblock");
    }
}
