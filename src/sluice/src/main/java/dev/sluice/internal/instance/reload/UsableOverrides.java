package dev.sluice.internal.instance.reload;

import dev.sluice.Endpoint;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.limits.Client;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.OverrideNote;
import dev.sluice.limits.Plan;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The overrides that can be used with a file, converted to clients, and the reasons why others cannot be used. Not
 * thread-safe.
 */
final class UsableOverrides {

    private static final int LONGEST_VALUE = 256;
    /**
     * The order in which overrides apply. If several overrides match a caller at the same endpoint, only the first one
     * applies.
     */
    private static final Comparator<ClientOverride> ORDER =
            Comparator.comparing(ClientOverride::subject).thenComparing(ClientOverride::value);

    private final LimitsFile file;
    private final Set<String> endpoints;
    private final List<Client> clients = new ArrayList<>();
    private final List<ClientOverride> used = new ArrayList<>();
    private final Map<Client, OverrideNote> notesOfClients = new HashMap<>();
    private final List<String> skipped = new ArrayList<>();

    UsableOverrides(LimitsFile file, List<ClientOverride> limits, Map<ClientOverride, OverrideNote> notes) {
        this.file = file;
        this.endpoints = file.limits().endpoints().stream().map(Endpoint::id).collect(Collectors.toUnmodifiableSet());
        limits.stream().sorted(ORDER).forEach(limit -> add(limit, notes.get(limit)));
    }

    private void add(ClientOverride limit, @Nullable OverrideNote note) {
        String unread = StoredOverride.whyUnread(limit);
        if (!unread.isEmpty()) {
            // Add this entry at the front of the list, because only the first entry is logged.
            skipped.add(
                    0,
                    limit.subject() + ' ' + limit.endpoint() + ": its value in the store is not a limit, or is too "
                            + "long for one, and was not read " + unread
                            + "; find it with sluice limits list, and set or unset it again");
            return;
        }
        try {
            Client client = client(limit);
            clients.add(client);
            if (note != null) {
                notesOfClients.put(client, note);
            }
            used.add(limit);
        } catch (IllegalArgumentException e) {
            skipped.add(limit.subject() + ' ' + limit.endpoint() + ": " + e.getMessage());
        }
    }

    private Client client(ClientOverride limit) {
        Map<String, Plan> plans = file.limits().plans().byName();
        if (limit.isOfPlan() && !plans.containsKey(limit.value())) {
            String near = Nearest.to(limit.value(), plans.keySet());
            throw new IllegalArgumentException("there is no plan " + limit.value() + " in " + file.name()
                    + (near == null ? "" : "; did you mean " + near + "?"));
        }
        if (!limit.isOfPlan() && !file.limits().subjects().containsKey(limit.subject())) {
            throw new IllegalArgumentException("there is no subject " + limit.subject() + " in " + file.name());
        }
        if (!endpoints.contains(limit.endpoint()) && !limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS)) {
            String near = Nearest.to(limit.endpoint(), endpoints);
            throw new IllegalArgumentException("there is no endpoint " + limit.endpoint() + " in " + file.name()
                    + (near == null ? "" : "; did you mean " + near + "?"));
        }
        String value = limit.value();
        if (value.isEmpty() || value.length() > LONGEST_VALUE || value.contains("*")) {
            throw new IllegalArgumentException(
                    "the client must have 1 to " + LONGEST_VALUE + " characters and no star");
        }
        List<SubjectSource> sources = file.limits().subjects().getOrDefault(limit.subject(), List.of());
        if (SubjectKey.isClearSecret(sources, value)) {
            throw new IllegalArgumentException("the subject is secret, but the client is not hashed; set the limit "
                    + "again with sluice limits and the option --config");
        }
        return OverrideText.parse(limit, file.tiers().sync()).client(limit, SubjectKey.ofNamed(value));
    }

    List<Client> clients() {
        return clients;
    }

    /** The overrides that can be used, in the order of {@link #clients}. */
    List<ClientOverride> used() {
        return used;
    }

    /** The notes about clients. Clients without a note have no entry. */
    Map<Client, OverrideNote> notes() {
        return Map.copyOf(notesOfClients);
    }

    /**
     * A text for the log that explains why the first unusable override cannot be used, and states how many other
     * unusable overrides there are. Empty if all overrides can be used.
     */
    String skipped() {
        if (skipped.isEmpty()) {
            return "";
        }
        String more = skipped.size() == 1 ? "" : " (and " + (skipped.size() - 1) + " more)";
        return Quote.line(skipped.get(0)) + more;
    }
}
