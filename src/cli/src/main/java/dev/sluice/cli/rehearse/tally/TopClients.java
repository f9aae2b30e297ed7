package dev.sluice.cli.rehearse.tally;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** The top clients by some measure. Each of these clients has its own series. Not thread-safe. */
final class TopClients {

    static final int MOST = 16;

    private final ToLongFunction<ClientTally> amount;
    private final List<ClientTally> leaders = new ArrayList<>(MOST);
    private long least;

    TopClients(ToLongFunction<ClientTally> amount) {
        this.amount = amount;
    }

    /** Whether a client with the given amount belongs to the top clients. */
    boolean wants(long size) {
        return size > least;
    }

    /** Whether the client is not one of the top clients. */
    boolean lacks(ClientTally client) {
        return !leaders.contains(client);
    }

    /** Adds the client. Returns the client that it replaces, or the added client itself if it replaces none. */
    ClientTally add(ClientTally client) {
        ClientTally gone = client;
        if (leaders.size() == MOST) {
            gone = leaders.stream().min(Comparator.comparingLong(amount)).orElse(client);
            leaders.remove(gone);
        }
        leaders.add(client);
        least = leaders.size() < MOST
                ? 0
                : leaders.stream().mapToLong(amount).min().orElse(0);
        return gone;
    }

    /** Returns the top clients, in descending order. */
    List<ClientTally> all() {
        return leaders.stream()
                .filter(client -> amount.applyAsLong(client) > 0)
                .sorted(Comparator.comparingLong(amount).reversed())
                .toList();
    }
}
