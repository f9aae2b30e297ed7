package dev.sluice.cli.limits;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.tier.Limit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gives a client back some of what it has used in the present windows. */
@Command(
        name = "give",
        description = {
            "Gives a client back some of what it has used in the present windows: that many more calls pass.",
            "It gives back at most what was used. To let more pass at once than the limit, use set.",
            "Instances learn of it at once. What they hold for further calls stays theirs."
        })
final class GiveCalls extends GivingBack implements Runnable {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "1",
            paramLabel = "ENDPOINT",
            description = "The id of an endpoint in the file; '*' for all endpoints.")
    private String endpoint = "";

    @Parameters(
            index = "2",
            paramLabel = "CALLS",
            description = "How many more calls pass, in each tier, and of each method that counts separately.")
    private long calls;

    GiveCalls() {
        super(StoredOverride.GIVE);
    }

    @Override
    public void run() {
        ArgumentChecks.require(
                command.commandLine(),
                calls >= 1 && calls <= Limit.MAX_THRESHOLD,
                "CALLS '" + calls + "' is out of range; write a number from 1 to " + Limit.MAX_THRESHOLD);
        giveBack(endpoint, calls);
    }
}
