package dev.sluice.traffic;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Decision.Outcome;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.EndpointRefusals.OfCaller;
import dev.sluice.traffic.sketch.HeavyCallers;
import dev.sluice.traffic.sketch.HeavyCallers.Content;
import dev.sluice.traffic.sketch.Tally;
import dev.sluice.traffic.sketch.Tally.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts refusals by caller between two reports, in bounded memory. Safe for any threads. */
public final class RefusalCounts implements RateLimitListener {

    private volatile HeavyCallers counts = fresh();

    private static HeavyCallers fresh() {
        return new HeavyCallers(Traffic.CALLERS, 0, HeavyCallers.HINT_BITS);
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        boolean isDryRun = decision.outcome() == Outcome.WOULD_REFUSE;
        if (endpoint != null && (isDryRun || !decision.admitted())) {
            Kind kind = isDryRun ? Kind.WOULD_REFUSE : Kind.REFUSED;
            counts.count(endpoint.id(), kind, decision, 0);
        }
    }

    /** The refusals since this method was last called, by endpoint. */
    public List<EndpointRefusals> take() {
        HeavyCallers taken = counts;
        counts = fresh();
        Content content = taken.content();
        Map<String, long[]> sums = new TreeMap<>();
        content.notListed().forEach((endpoint, calls) -> sums.put(endpoint, calls.clone()));
        Map<String, List<OfCaller>> callers = new HashMap<>();
        for (Tally tally : content.listed()) {
            String endpoint = tally.caller().endpoint();
            long[] sum = sums.computeIfAbsent(endpoint, first -> new long[Kind.values().length]);
            sum[Kind.REFUSED.at] += tally.calls(Kind.REFUSED);
            sum[Kind.WOULD_REFUSE.at] += tally.calls(Kind.WOULD_REFUSE);
            callers.computeIfAbsent(endpoint, first -> new ArrayList<>())
                    .add(new OfCaller(
                            tally.caller().subjects(),
                            tally.calls(Kind.REFUSED) + tally.calls(Kind.WOULD_REFUSE),
                            name(tally.tier())));
        }
        List<EndpointRefusals> refusals = new ArrayList<>();
        sums.forEach((endpoint, sum) -> refusals.add(new EndpointRefusals(
                endpoint, sum[Kind.REFUSED.at], sum[Kind.WOULD_REFUSE.at], sorted(callers.get(endpoint)))));
        return refusals;
    }

    private static String name(@Nullable Tier tier) {
        return tier == null ? "" : tier.name();
    }

    /** Ties are broken by name, so that the order is stable. */
    private static List<OfCaller> sorted(@Nullable List<OfCaller> callers) {
        return callers == null
                ? List.of()
                : callers.stream()
                        .sorted(Comparator.comparingLong(OfCaller::calls)
                                .reversed()
                                .thenComparing(caller -> caller.subjects().toString()))
                        .toList();
    }
}
