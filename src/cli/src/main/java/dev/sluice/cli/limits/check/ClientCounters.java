package dev.sluice.cli.limits.check;

import dev.sluice.CounterKey;
import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.EffectiveTiers;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.PossibleCounters;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ClientOverride;
import dev.sluice.tier.Tier;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The counters that a client could currently have. These are the counters in the current window of each tier. The tiers
 * come from the client's limits in the file and in the store.
 *
 * @param shared the counters in the store, by key
 * @param alone the tiers that each instance counts separately
 */
public record ClientCounters(Map<CounterKey, Tier> shared, Set<Tier> alone) {

    /**
     * Finds the counters.
     *
     * @param asked the client, with one endpoint or all endpoints
     * @param tier the name of the tier to include; {@code null} for all tiers
     * @param files the files in force
     * @param kept the limits that are set in the store
     * @param nowMillis the current time, measured by the store's clock
     */
    public static ClientCounters find(
            StoreConnection store,
            ClientOverride asked,
            @Nullable String tier,
            List<FollowedFile> files,
            List<ClientOverride> kept,
            long nowMillis) {
        Map<CounterKey, Tier> shared = new LinkedHashMap<>();
        Set<Tier> alone = new LinkedHashSet<>();
        Set<String> names = new TreeSet<>();
        List<OfSeveral> ofSeveral = new ArrayList<>();
        for (FollowedFile file : files) {
            EffectiveTiers effective = new EffectiveTiers(file.limits(), kept);
            for (Endpoint endpoint : ClientAtEndpoint.endpoints(file, asked)) {
                for (EffectiveTiers.Found found : effective.of(endpoint, asked)) {
                    found.tiers().forEach(one -> names.add(one.name()));
                    List<Tier> chosen = found.tiers().stream()
                            .filter(one -> tier == null || one.name().equals(tier))
                            .toList();
                    chosen.stream().filter(one -> !StoredUsage.isShared(one)).forEach(alone::add);
                    List<Tier> counted =
                            chosen.stream().filter(StoredUsage::isShared).toList();
                    if (endpoint.per().equals(List.of(asked.subject()))) {
                        possible(file, endpoint, asked, counted, nowMillis)
                                .forEach(one -> shared.merge(one.key(), one.tier(), ClientCounters::smaller));
                    } else if (endpoint.per().contains(asked.subject())) {
                        ofSeveral.add(new OfSeveral(endpoint, counted));
                    }
                }
            }
        }
        if (tier != null && !names.contains(tier)) {
            String near = Nearest.to(tier, names);
            throw new CommandFailure(
                    ExitCodes.UNKNOWN_NAME,
                    "there is no tier " + SafeText.cut(tier, 80) + " there; "
                            + (near == null ? "there is " + String.join(", ", names) : "did you mean " + near + "?"));
        }
        if (!ofSeveral.isEmpty()) {
            var unused = store.scan(
                    () -> true,
                    keys -> keys.stream()
                            .filter(key -> isOf(key, asked))
                            .forEach(key -> ofSeveral.stream()
                                    .flatMap(one -> one.present(key, nowMillis))
                                    .forEach(one -> shared.merge(key, one, ClientCounters::smaller))));
        }
        return new ClientCounters(shared, alone);
    }

    /**
     * An endpoint that is keyed by several subjects. Only the store can tell which counters a client has at such an
     * endpoint.
     */
    private record OfSeveral(Endpoint endpoint, List<Tier> tiers) {

        Stream<Tier> present(CounterKey key, long nowMillis) {
            return tiers.stream()
                    .filter(tier -> key.endpoint().equals(endpoint.id())
                            && key.tier().equals(tier.name())
                            && key.subjects().size() == endpoint.per().size()
                            && key.equals(PossibleCounters.at(key, tier, nowMillis)));
        }
    }

    private static List<StoredUsage.Asked> possible(
            FollowedFile file, Endpoint endpoint, ClientOverride asked, List<Tier> tiers, long nowMillis) {
        List<StoredUsage.Asked> counters = new ArrayList<>();
        for (Subject subject : PossibleCounters.subjects(file.limits(), asked.subject(), asked.value())) {
            counters.addAll(PossibleCounters.of(endpoint, subject, tiers, nowMillis));
        }
        return counters;
    }

    private static boolean isOf(CounterKey key, ClientOverride asked) {
        return key.subjects().stream()
                .anyMatch(subject -> subject.name().equals(asked.subject())
                        && subject.value().equals(SubjectKey.ofNamed(asked.value())));
    }

    /**
     * Chooses the smaller limit for a client whose plan is unknown. If we chose the larger limit, instances might not
     * be notified of a change.
     */
    private static Tier smaller(Tier one, Tier other) {
        return other.most() < one.most() ? other : one;
    }
}
