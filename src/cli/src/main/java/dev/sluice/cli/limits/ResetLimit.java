package dev.sluice.cli.limits;

import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Gives a client the same number of calls as it has used in the current windows. */
@Command(
        name = "reset",
        description = {
            "Gives a client as many calls as the store counts as used, so that the full limit is available again.",
            "Later windows do not change. Instances are notified immediately.",
            "They keep the permits that they hold for further calls."
        })
final class ResetLimit extends GivingCalls implements Runnable {

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "ENDPOINT",
            description = "The id of an endpoint in the file; default: all endpoints.")
    private String endpoint = ClientOverride.ALL_ENDPOINTS;

    ResetLimit() {
        super(StoredOverride.RESET);
    }

    @Override
    public void run() {
        give(endpoint, OptionalLong.empty());
    }
}
