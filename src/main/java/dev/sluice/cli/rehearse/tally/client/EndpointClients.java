package dev.sluice.cli.rehearse.tally.client;

import dev.sluice.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one endpoint: a row of figures for each that is active, and a name for those few that are reported by
 * name. For one thread.
 */
public final class EndpointClients {

    private static final int MOST_KEPT = 20_000;
    private static final int FEWEST_BEFORE_SWEEP = 100_000;

    public final CallerRows rows;
    private final RowCache recent = new RowCache();
    private final DistinctCallers seen = new DistinctCallers();
    /** By the number in the rows; none at 0, and where one was forgotten. */
    private final List<@Nullable ClientTally> named = new ArrayList<>();

    private int sweepAt = FEWEST_BEFORE_SWEEP;

    public EndpointClients(int periods) {
        rows = new CallerRows(periods);
        named.add(null);
    }

    /** The row of that client; -1 if it has none. */
    public int find(List<Subject> who) {
        int row = recent.find(who);
        if (row < 0) {
            row = rows.find(DistinctCallers.fingerprint(who));
            if (row >= 0) {
                recent.remember(who, row);
            }
        }
        return row;
    }

    /** Gives a client without a row an empty one. */
    public int add(List<Subject> who) {
        long fingerprint = DistinctCallers.fingerprint(who);
        seen.add(fingerprint);
        int row = rows.add(fingerprint);
        recent.remember(who, row);
        return row;
    }

    /** Whether it is time to forget those who are idle. */
    public boolean areMany() {
        return rows.size() >= sweepAt;
    }

    /** The client with a name; made if it has none yet. */
    public ClientTally named(int row, List<Subject> who) {
        ClientTally known = namedOrNull(row);
        if (known == null) {
            known = new ClientTally(who, rows, row);
            rows.setNamed(row, named.size());
            named.add(known);
        }
        return known;
    }

    public @Nullable ClientTally namedOrNull(int row) {
        return named.get(rows.named(row));
    }

    /** Forgets clients that are idle, but for those that were refused most and those that are followed. */
    public void forget(IntPredicate isIdle) {
        List<ClientTally> idle = new ArrayList<>();
        for (ClientTally client : all()) {
            if (client.series() == null && isIdle.test(client.row)) {
                idle.add(client);
            }
        }
        idle.sort(Comparator.comparingLong(ClientTally::refused).reversed());
        Set<ClientTally> gone = new HashSet<>();
        for (int i = 0; i < idle.size(); i++) {
            if (i >= MOST_KEPT || idle.get(i).refused() == 0) {
                gone.add(idle.get(i));
            }
        }
        rows.keep(row -> {
            ClientTally client = namedOrNull(row);
            return client == null ? !isIdle.test(row) : !gone.contains(client);
        });
        renumber(gone);
        recent.clear();
        sweepAt = Math.max(FEWEST_BEFORE_SWEEP, 2 * rows.size());
    }

    private void renumber(Set<ClientTally> gone) {
        List<ClientTally> left = all();
        named.subList(1, named.size()).clear();
        for (ClientTally client : left) {
            if (!gone.contains(client)) {
                rows.setNamed(client.row, named.size());
                named.add(client);
            }
        }
    }

    /** Those with a name. */
    public List<ClientTally> all() {
        List<ClientTally> all = new ArrayList<>(named.size());
        for (ClientTally client : named) {
            if (client != null) {
                all.add(client);
            }
        }
        return all;
    }

    /** How many different ones there were. */
    public int seen() {
        return seen.count();
    }
}
