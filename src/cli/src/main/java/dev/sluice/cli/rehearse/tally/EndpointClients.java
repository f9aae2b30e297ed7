package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The active clients of one endpoint, and the idle clients with the most refusals. Not thread-safe. */
final class EndpointClients {

    private static final int MOST_KEPT = 20_000;
    private static final int FEWEST_BEFORE_SWEEP = 30_000;

    private final int periods;
    private final Map<List<Subject>, ClientTally> all = new HashMap<>();
    private final DistinctCallers seen = new DistinctCallers();
    private int sweepAt = FEWEST_BEFORE_SWEEP;

    EndpointClients(int periods) {
        this.periods = periods;
    }

    /** Returns the tally of a client; {@code null} if the client has not made a call yet, or was forgotten. */
    @Nullable ClientTally find(List<Subject> who) {
        return all.get(who);
    }

    /** Adds a new client. */
    ClientTally add(List<Subject> who) {
        seen.add(DistinctCallers.fingerprint(who));
        ClientTally client = new ClientTally(who, periods);
        all.put(who, client);
        return client;
    }

    /** Whether idle clients should be forgotten, because there are too many clients. */
    boolean areMany() {
        return all.size() >= sweepAt;
    }

    /** Forgets idle clients, except those with the most refusals and those with a series. */
    void forget(Predicate<ClientTally> isIdle) {
        List<ClientTally> idle = all.values().stream()
                .filter(client -> client.series() == null && isIdle.test(client))
                .sorted(Comparator.comparingLong(ClientTally::refused).reversed())
                .toList();
        for (int i = 0; i < idle.size(); i++) {
            if (i >= MOST_KEPT || idle.get(i).refused() == 0) {
                all.remove(idle.get(i).who());
            }
        }
        sweepAt = Math.max(FEWEST_BEFORE_SWEEP, 2 * all.size());
    }

    Collection<ClientTally> all() {
        return all.values();
    }

    /** Returns the clients with the most refusals, at most the given number. */
    List<ClientTally> mostRefused(int most) {
        return all.values().stream()
                .filter(client -> client.refused() > 0)
                .sorted(Comparator.comparingLong(ClientTally::refused)
                        .reversed()
                        .thenComparing(client -> client.who().toString()))
                .limit(most)
                .toList();
    }

    /** Returns the number of different clients so far. */
    int seen() {
        return seen.count();
    }
}
