package dev.sluice.cli.limits;

import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.tier.Limit;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gives a client more calls in the current windows. */
@Command(
        name = "give",
        description = {
            "Gives a client more calls. They can pass beyond the limit until the current window ends.",
            "A bucket gains this number of tokens, up to its capacity. A sliding log forgets this number of calls.",
            "Instances are notified immediately. They keep the permits that they hold for further calls."
        })
final class GiveCalls extends GivingCalls implements Runnable {

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
            description = "The number of calls to add in each tier, and for each method that counts separately.")
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
        give(endpoint, OptionalLong.of(calls));
    }
}
