package dev.sluice.cli.limits;

import dev.sluice.ClientOverride;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.text.FileNotation;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows all that has been set. */
@Command(
        name = "list",
        description = "Shows all limits that have been set for values of the subject, one in each line.")
final class LimitsList implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ListedOverrides limits = new ListedOverrides();

    LimitsList() {}

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        limits.all().forEach(limit -> out.println(line(limit)));
        return ExitCodes.OK;
    }

    /** For example {@code tenant acme get-product 5000/10s}. What another program has written there prints no control characters. */
    static String line(ClientOverride limit) {
        String line = limit.subject() + ' ' + limit.value() + ' ' + limit.endpoint() + ' ' + limit.tiers();
        return FileNotation.harmless(line);
    }
}
