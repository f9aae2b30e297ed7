package dev.sluice.cli.rehearse.tally;

import dev.sluice.Block;
import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Endpoint;
import dev.sluice.limits.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counts of all calls in a log. Not thread-safe. */
public final class LogTally {

    private final Map<String, EndpointTally> endpoints = new LinkedHashMap<>();
    private long calls;
    private long unlimited;
    private long refused;
    private long firstMillis;
    private long lastMillis;

    public LogTally(Limits limits) {
        limits.endpoints().forEach(endpoint -> endpoints.put(endpoint.id(), new EndpointTally(endpoint, limits)));
    }

    /**
     * Adds a call that was played.
     *
     * @param status the response status; 0 if unknown
     * @param charged the cost that the application charged for the call; negative if unknown
     * @param decisions the decisions that the limiter reported
     * @param matching one decision for each matching endpoint. It names the caller that the endpoint counts
     */
    public void add(
            Call call, long nowMillis, int status, long charged, List<Decision> decisions, List<Decision> matching) {
        if (calls++ == 0) {
            firstMillis = nowMillis;
        }
        lastMillis = nowMillis;
        boolean passes = true;
        boolean isRefused = false;
        for (Decision one : decisions) {
            passes &= one.admitted();
            isRefused |= RefusalCount.isRefusal(one);
        }
        refused += isRefused ? 1 : 0;
        unlimited += matching.isEmpty() ? 1 : 0;
        for (Decision match : matching) {
            Endpoint matched = match.endpoint();
            EndpointTally tally = matched == null ? null : endpoints.get(matched.id());
            if (tally != null) {
                Endpoint endpoint = tally.endpoint(); // the endpoint in the decision can have a different cost
                long asked = asked(endpoint, call, status, charged);
                tally.add(match.subjects(), nowMillis, asked, passes, of(endpoint.id(), decisions));
            }
        }
    }

    /** Adds a block, including a block that a dry run only reports. */
    public void addBlock(Block block) {
        EndpointTally tally = endpoints.get(block.key().endpoint());
        if (tally != null) {
            tally.addBlock(block);
        }
    }

    /**
     * Returns the amount that a call requests from an endpoint.
     *
     * @param status the response status; 0 if unknown
     * @param charged the cost that the application charged for the call; negative if unknown
     */
    public static long asked(Endpoint endpoint, Call call, int status, long charged) {
        boolean counts = !endpoint.countsFailedLogins() // logs do not show which logins failed
                && (status == 0
                        || endpoint.countedStatuses().isEmpty()
                        || endpoint.countedStatuses().contains(status));
        if (!counts) {
            return 0;
        }
        Cost cost = endpoint.cost();
        if (cost.settling() != Cost.Settling.NONE && charged >= 0) {
            return charged; // the charge is exact, whereas the cost at the beginning of the call was only an estimate
        }
        return cost.charged() ? 1 : Math.max(0, cost.resolver().resolve(call));
    }

    private static @Nullable Decision of(String id, List<Decision> decisions) {
        for (Decision one : decisions) {
            Endpoint endpoint = one.endpoint();
            if (endpoint != null && endpoint.id().equals(id)) {
                return one;
            }
        }
        return null;
    }

    /** Finishes the counts. Must be called after the last call in the logs. */
    public void finish() {
        endpoints.values().forEach(EndpointTally::finish);
    }

    public List<EndpointTally> endpoints() {
        return List.copyOf(endpoints.values());
    }

    public long calls() {
        return calls;
    }

    /** Returns the number of calls without a matching endpoint. */
    public long unlimited() {
        return unlimited;
    }

    /** Returns the number of calls that were refused, or would have been refused without a dry run. */
    public long refused() {
        return refused;
    }

    /** Returns the start of the first call. */
    public long firstMillis() {
        return firstMillis;
    }

    /** Returns the start of the last call. */
    public long lastMillis() {
        return lastMillis;
    }
}
