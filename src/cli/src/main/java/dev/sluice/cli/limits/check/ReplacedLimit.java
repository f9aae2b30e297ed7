package dev.sluice.cli.limits.check;

import dev.sluice.Endpoint;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.cli.output.CountText;
import dev.sluice.cli.output.FileNotation;
import dev.sluice.internal.config.tier.OverrideText;
import dev.sluice.internal.store.admin.StoredOverride;
import dev.sluice.internal.text.CallerText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Describes the limit that a new limit replaces, because the operator might not be aware of it. */
public final class ReplacedLimit {

    private static final int MOST_ENDPOINTS = 20;
    private static final int MOST_NAMED = 8;

    private ReplacedLimit() {}

    /**
     * Describes the replaced limits and the effect of the new limit.
     *
     * @param limit the new limit
     * @param known the files in force. There can be several files during a rollout, or if several services share the
     *     store
     * @param kept the limits that were in the store before
     */
    public static List<String> lines(
            ClientOverride limit, List<FollowedFile> known, List<StoredOverride> kept, long nowMillis) {
        Optional<StoredOverride> before = kept.stream()
                .filter(one -> ClientAtEndpoint.isSame(one.limit(), limit))
                .findFirst();
        Set<String> lines = new LinkedHashSet<>();
        before.ifPresent(one ->
                lines.add("It replaces " + SafeText.cut(one.limit().tiers(), 200) + LimitNotes.of(one, nowMillis)));
        List<ClientOverride> overrides =
                kept.stream().map(StoredOverride::limit).toList();
        OverrideText said = OverrideText.parse(limit, Sync.DEFAULT);
        Set<String> anew = new LinkedHashSet<>();
        for (FollowedFile one : known) {
            if (said.isFactor()) {
                lines.addAll(multiplied(one, limit, overrides, " (" + one.among(known) + ")"));
                continue;
            }
            one.endpoint(limit.endpoint()).ifPresent(endpoint -> {
                if (before.isEmpty()) {
                    lines.addAll(held(one, endpoint, limit, List.of(), "It replaces ", " (" + one.among(known) + ")"));
                }
                anew.addAll(begins(
                        new EffectiveTiers(one.limits(), overrides)
                                .of(endpoint, limit).stream()
                                        .flatMap(found -> found.tiers().stream())
                                        .toList(),
                        said.tiers()));
            });
        }
        lines.addAll(anew);
        if (limit.isOfPlan()) {
            others(limit, kept).ifPresent(lines::add);
        }
        return List.copyOf(lines);
    }

    /**
     * Describes the callers to whom a plan's limit does not apply, because they have their own limit at the endpoint.
     */
    private static Optional<String> others(ClientOverride limit, List<StoredOverride> kept) {
        List<String> own = kept.stream()
                .map(StoredOverride::limit)
                .filter(one -> !one.isOfPlan() && meet(one.endpoint(), limit.endpoint()))
                .map(one -> SafeText.cut(CallerText.pair(one.subject(), one.value()), 80))
                .distinct()
                .sorted()
                .toList();
        int more = own.size() - MOST_NAMED;
        return own.isEmpty()
                ? Optional.empty()
                : Optional.of("Limits that are set for individual clients stay: "
                        + String.join(", ", own.subList(0, Math.min(own.size(), MOST_NAMED)))
                        + (more > 0 ? " and " + more + " more" : ""));
    }

    private static boolean meet(String endpoint, String other) {
        return endpoint.equals(other)
                || endpoint.equals(ClientOverride.ALL_ENDPOINTS)
                || other.equals(ClientOverride.ALL_ENDPOINTS);
    }

    /** Describes the effect of a factor on a file's limits, for each endpoint. */
    private static List<String> multiplied(
            FollowedFile file, ClientOverride limit, List<ClientOverride> overrides, String where) {
        List<ClientOverride> after = new ArrayList<>(overrides);
        after.removeIf(one -> ClientAtEndpoint.isSame(one, limit));
        List<ClientOverride> others = List.copyOf(after);
        after.add(limit);
        List<String> lines = new ArrayList<>();
        for (Endpoint endpoint : ClientAtEndpoint.endpoints(file, limit)) {
            Optional<ClientOverride> own = others.stream()
                    .filter(one -> ClientAtEndpoint.isSame(one, limit.at(endpoint.id())))
                    .findFirst();
            if (EffectiveTiers.countsAll(endpoint)) {
                lines.add(endpoint.id() + " stays the same, because it counts all callers together" + where);
            } else if (endpoint.countsFailedLogins() && limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS)) {
                lines.add(endpoint.id() + " stays the same, because it counts failed logins; to change it, name it"
                        + where);
            } else if (own.isPresent()) {
                lines.add(endpoint.id() + " keeps its own limit: "
                        + SafeText.cut(own.get().tiers(), 200));
            } else {
                lines.addAll(held(file, endpoint, limit, after, endpoint.id() + " now has ", where));
            }
        }
        int more = lines.size() - MOST_ENDPOINTS;
        return more <= 0
                ? lines
                : Stream.concat(
                                lines.subList(0, MOST_ENDPOINTS).stream(),
                                Stream.of("and " + CountText.of(more, "more endpoint") + where))
                        .toList();
    }

    /**
     * Describes the client's limit. If the limit depends on the plan, there is one line for each plan, and one more
     * line that shows where the plan comes from.
     */
    private static List<String> held(
            FollowedFile file,
            Endpoint endpoint,
            ClientOverride limit,
            List<ClientOverride> kept,
            String before,
            String where) {
        EffectiveTiers effective = new EffectiveTiers(file.limits(), kept);
        List<EffectiveTiers.Found> all = effective.of(endpoint, limit);
        List<String> lines = new ArrayList<>();
        if (all.size() > 1) {
            lines.add(effective.planNamer(EffectiveTiers.subjects(limit)) + where);
        }
        all.forEach(found -> lines.add(before + FileNotation.tiers(found.tiers()) + found.byPlan() + where));
        return lines;
    }

    /** Describes the tiers that start to count at 0, because no previous tier had the same name. */
    private static List<String> begins(List<Tier> before, List<Tier> now) {
        List<String> anew = now.stream()
                .map(Tier::name)
                .filter(name -> before.stream().noneMatch(tier -> tier.name().equals(name)))
                .toList();
        return anew.isEmpty()
                ? List.of()
                : List.of("tier " + String.join(" and ", anew) + " is new and starts to count at 0");
    }
}
