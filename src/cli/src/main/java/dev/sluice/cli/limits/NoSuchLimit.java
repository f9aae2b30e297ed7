package dev.sluice.cli.limits;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.ClientOverride;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Creates the failure for a command that does not find a matching limit in the store. */
final class NoSuchLimit {

    private NoSuchLimit() {}

    /** Creates the failure. If there is a similar limit, the message suggests it. */
    static CommandFailure of(ClientOverride asked, List<StoredOverride> all) {
        return new CommandFailure(
                ExitCodes.NOTHING_SET, "nothing is set for " + LimitText.line(asked) + guess(asked, all));
    }

    private static String guess(ClientOverride asked, List<StoredOverride> all) {
        Set<String> names = new HashSet<>();
        for (StoredOverride kept : all) {
            ClientOverride limit = kept.limit();
            ClientOverride name = new ClientOverride(limit.subject(), limit.value(), limit.endpoint(), "");
            if (limit.value().equals(asked.value()) && limit.endpoint().equals(asked.endpoint())) {
                return "; did you mean --subject " + limit.subject() + "?";
            }
            names.add(LimitText.line(name));
        }
        String near = Nearest.to(LimitText.line(asked), names);
        return near == null ? "" : "; did you mean " + near + "?";
    }
}
