package dev.sluice.config.follow;

import dev.sluice.config.yaml.Quote;
import dev.sluice.limits.ClientOverride;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The changes from one set of overrides to the next, as text for the log. A secret client is named by its hash. */
final class OverrideChanges {

    private static final int MOST_NAMED = 3;

    private final List<String> changes = new ArrayList<>();

    OverrideChanges(List<ClientOverride> before, List<ClientOverride> now) {
        Map<ClientOverride, String> gone = new HashMap<>();
        before.forEach(limit -> gone.put(withoutTiers(limit), limit.tiers()));
        for (ClientOverride limit : now) {
            String tiers = gone.remove(withoutTiers(limit));
            if (!limit.tiers().equals(tiers)) {
                changes.add(
                        (tiers == null ? "set to " : "changed from " + tiers + " to ") + limit.tiers() + where(limit));
            }
        }
        gone.keySet().forEach(limit -> changes.add("removed or ended" + where(limit)));
    }

    private static ClientOverride withoutTiers(ClientOverride limit) {
        return new ClientOverride(limit.subject(), limit.value(), limit.endpoint(), "");
    }

    private static String where(ClientOverride limit) {
        return " for " + limit.subject() + "=" + limit.value() + " at " + limit.endpoint();
    }

    /** For example {@code set to 5000/10s for tenant=acme at get-product}; empty if nothing changed. */
    String text() {
        int more = changes.size() - MOST_NAMED;
        String named = String.join("; ", changes.subList(0, Math.min(changes.size(), MOST_NAMED)));
        return Quote.line(more > 0 ? named + "; and " + more + " more" : named);
    }
}
