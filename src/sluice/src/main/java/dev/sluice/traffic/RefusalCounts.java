package dev.sluice.traffic;

import dev.sluice.Call;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.RateLimitListener;
import dev.sluice.tier.Tier;
import dev.sluice.traffic.EndpointRefusals.OfCaller;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts refusals by caller between two reports. Memory is bounded. Thread-safe.
 *
 * <pre>{@code
 * RefusalCounts refusals = new RefusalCounts();
 * Sluice limiter = Sluice.builder().config("rate-limits.yml").listener(refusals).open();
 *  // every minute:
 * refusals.take().forEach(System.out::println);
 * }</pre>
 */
public final class RefusalCounts implements RateLimitListener {

    private volatile CallerTallies counts = fresh();

    private static CallerTallies fresh() {
        return new CallerTallies(Traffic.CALLERS, 0);
    }

    @Override
    public void onDecision(Call call, Decision decision) {
        Endpoint endpoint = decision.endpoint();
        Kind kind = Kind.of(decision);
        if (endpoint != null && kind != Kind.ALLOWED) {
            counts.count(endpoint.id(), kind, decision, 0);
        }
    }

    /** Returns the refusals since the previous call of this method, by endpoint. */
    public List<EndpointRefusals> take() {
        CallerTallies taken = counts;
        counts = fresh();
        Map<String, List<OfCaller>> callers = new HashMap<>();
        for (CallerTally tally : taken.tallies().values()) {
            callers.computeIfAbsent(tally.endpoint, first -> new ArrayList<>())
                    .add(new OfCaller(
                            tally.subjects,
                            tally.calls(Kind.REFUSED) + tally.calls(Kind.WOULD_REFUSE),
                            name(tally.tier())));
        }
        List<EndpointRefusals> refusals = new ArrayList<>();
        new TreeMap<>(taken.sums())
                .forEach((endpoint, sum) -> refusals.add(new EndpointRefusals(
                        endpoint, sum[Kind.REFUSED.at], sum[Kind.WOULD_REFUSE.at], sorted(callers.get(endpoint)))));
        return refusals;
    }

    private static String name(@Nullable Tier tier) {
        return tier == null ? "" : tier.name();
    }

    /**
     * Sorts callers by their number of calls in descending order. Ties are broken by name, so that the order is
     * deterministic.
     */
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
