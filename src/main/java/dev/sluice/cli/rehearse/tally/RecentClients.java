package dev.sluice.cli.rehearse.tally;

import dev.sluice.Subject;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where clients were found last, by the object that the limiter names them with: it is the same for as long as their
 * counter is in use, so most look-ups compare nothing.
 */
final class RecentClients {

    private static final int PLACES = 1 << 13;

    private final @Nullable Object[] names = new Object[PLACES];
    private final @Nullable ClientTally[] clients = new ClientTally[PLACES];

    @Nullable ClientTally find(List<Subject> who) {
        int place = place(who);
        return names[place] == who ? clients[place] : null;
    }

    void remember(List<Subject> who, ClientTally client) {
        int place = place(who);
        names[place] = who;
        clients[place] = client;
    }

    /** Some clients were forgotten. */
    void clear() {
        Arrays.fill(names, null);
        Arrays.fill(clients, null);
    }

    private static int place(Object who) {
        return System.identityHashCode(who) & (PLACES - 1);
    }
}
