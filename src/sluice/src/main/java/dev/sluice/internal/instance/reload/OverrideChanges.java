package dev.sluice.internal.instance.reload;

import dev.sluice.OverrideChange;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.CallerText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.OverrideNote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The changes between two sets of overrides, for the log and for listeners. If a client's key is secret, its hash is
 * shown instead. In the log, the client's display name is added if it has one.
 */
final class OverrideChanges {

    private static final int MOST_NAMED = 3;

    private static final OverrideNote UNKNOWN = new OverrideNote(0, 0, "", "");

    private final Function<ClientOverride, @Nullable String> names;
    private final List<String> changes = new ArrayList<>();
    private final List<OverrideChange> all = new ArrayList<>();

    OverrideChanges(
            List<ClientOverride> before,
            List<ClientOverride> now,
            Map<ClientOverride, OverrideNote> notes,
            Function<ClientOverride, @Nullable String> names) {
        this.names = names;
        Map<ClientOverride, String> gone = new HashMap<>();
        before.forEach(limit -> gone.put(limit.withoutTiers(), limit.tiers()));
        for (ClientOverride limit : now) {
            String tiers = gone.remove(limit.withoutTiers());
            if (!limit.tiers().equals(tiers)) {
                changes.add(
                        (tiers == null ? "set to " : "changed from " + tiers + " to ") + limit.tiers() + where(limit));
                all.add(change(limit, notes.getOrDefault(limit, UNKNOWN)));
            }
        }
        gone.keySet().forEach(limit -> {
            changes.add("removed or ended" + where(limit));
            all.add(change(limit, UNKNOWN));
        });
    }

    private static OverrideChange change(ClientOverride limit, OverrideNote note) {
        return new StoredOverride(limit, note.untilMillis(), note.setMillis(), note.by(), note.why()).asChange();
    }

    private String where(ClientOverride limit) {
        boolean isForAll = limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS);
        String name = names.apply(limit);
        return " for " + CallerText.pair(limit.subject(), limit.value()) + (name == null ? "" : " (" + name + ")")
                + " at " + (isForAll ? "all endpoints" : limit.endpoint());
    }

    /** All changes. */
    List<OverrideChange> all() {
        return all;
    }

    /**
     * The changes as text, for example {@code set to 5000/10s for tenant=acme at get-product}; empty if there are none.
     */
    String text() {
        int more = changes.size() - MOST_NAMED;
        String named = String.join("; ", changes.subList(0, Math.min(changes.size(), MOST_NAMED)));
        return Quote.line(more > 0 ? named + "; and " + more + " more" : named);
    }
}
