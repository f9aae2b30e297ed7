package dev.sluice.cli.explain;

import dev.sluice.CounterKey;
import dev.sluice.Mode;
import dev.sluice.cli.command.OpenStore;
import dev.sluice.cli.fleet.LimitNotes;
import dev.sluice.cli.fleet.StoredUsage;
import dev.sluice.cli.text.TimeText;
import dev.sluice.limits.Client;
import dev.sluice.limits.Explanation;
import dev.sluice.match.caller.CountedValue;
import dev.sluice.store.operated.KeptLimit;
import dev.sluice.text.Visible;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows at one moment of the counters of a call.
 *
 * @param standings of each counter that is shared
 * @param kept the limits of clients that are set in the store
 */
record LiveCall(Map<CounterKey, StoredUsage> standings, List<KeptLimit> kept, long nowMillis, boolean isKnown) {

    /** Where no store is asked. */
    static final LiveCall UNKNOWN = new LiveCall(Map.of(), List.of(), 0, false);

    private static final Comparator<KeptLimit> ORDER = Comparator.comparing(
                    (KeptLimit one) -> one.limit().subject())
            .thenComparing(one -> one.limit().value());

    static LiveCall of(OpenStore store, List<Explanation> explanations, List<KeptLimit> kept, long nowMillis) {
        List<StoredUsage.Asked> asked = explanations.stream()
                .filter(one -> StoredUsage.isShared(one.tier()))
                .map(one -> new StoredUsage.Asked(one.key(), one.tier()))
                .toList();
        Map<CounterKey, StoredUsage> standings = new HashMap<>();
        StoredUsage.of(store, asked, nowMillis, true).forEach(one -> standings.put(one.key(), one));
        return new LiveCall(standings, kept, nowMillis, true);
    }

    /** The limit that is set in the store for the caller, if there is one. */
    List<String> limit(Explanation explained) {
        return kept.stream()
                .filter(one ->
                        one.limit().endpoint().equals(explained.endpoint().id()))
                .filter(one -> explained.key().subjects().stream()
                        .anyMatch(subject -> subject.name().equals(one.limit().subject())
                                && subject.value()
                                        .equals(CountedValue.ofNamed(one.limit().value()))))
                .min(ORDER)
                .map(one ->
                        "set in the store: " + Visible.cut(one.limit().tiers(), 200) + LimitNotes.of(one, nowMillis))
                .stream()
                .toList();
    }

    /** How far a counter is used. */
    List<String> standing(Explanation explained) {
        StoredUsage standing = standings.get(explained.key());
        if (!isKnown) {
            return List.of();
        }
        return List.of(standing == null ? "counted by each instance for itself" : "now: " + standing.text());
    }

    /** What becomes of the next such call. */
    List<String> verdict(ExplainedCall.SeenCall call) {
        List<String> refusing = new ArrayList<>();
        List<String> dry = new ArrayList<>();
        @Nullable Explanation nearest = null;
        for (Explanation one : call.explanations()) {
            StoredUsage standing = standings.get(one.key());
            Client client = one.client();
            if (standing == null || (client != null && client.exempt())) {
                continue;
            }
            long cost = Math.max(1, call.costs().getOrDefault(one.endpoint().id(), 1L));
            if (standing.refuses(cost)) {
                (one.endpoint().mode() == Mode.DRY_RUN ? dry : refusing).add(why(one, standing, cost));
            } else if (nearest == null || standing.percent() > percent(nearest)) {
                nearest = one;
            }
        }
        List<String> lines = new ArrayList<>();
        if (!refusing.isEmpty()) {
            lines.add("The next such call is refused");
            refusing.forEach(line -> lines.add("  by " + line));
        } else {
            lines.add("The next such call passes"
                    + Optional.ofNullable(nearest)
                            .map(one -> "; of " + limit(one, call) + ", the least is left")
                            .orElse(""));
        }
        dry.forEach(line -> lines.add("  it would be refused, were that not a dry run, by " + line));
        return lines;
    }

    private long percent(Explanation one) {
        StoredUsage standing = standings.get(one.key());
        return standing == null ? 0 : standing.percent();
    }

    private static String limit(Explanation one, ExplainedCall.SeenCall call) {
        long cost = call.costs().getOrDefault(one.endpoint().id(), 1L);
        return one.endpoint().id() + ", tier " + one.tier().name() + ", where it costs " + cost;
    }

    private static String why(Explanation one, StoredUsage standing, long cost) {
        String limit = one.endpoint().id() + ", tier " + one.tier().name();
        return cost > one.tier().most()
                ? limit + ": " + AnswerNotes.neverPasses(cost, one.tier())
                : limit + ": it costs " + cost + ", and " + standing.left() + " of "
                        + one.tier().limit().capacity() + " are left; a retry passes in "
                        + TimeText.span(standing.retryMillis(cost));
    }
}
