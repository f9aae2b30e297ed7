package dev.sluice.limits;

import dev.sluice.Endpoint;
import dev.sluice.ResponseOptions;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All that one {@code rate-limits.yml} says to the limiter: an immutable snapshot, swapped whole on reload.
 *
 * @param endpoints the enabled definitions
 * @param subjects by name, the sources that are tried in turn; every name in an endpoint's {@code per} is among them
 * @param caseSensitive whether {@code /Login} and {@code /login} are different paths
 * @param maximumCounters how many counters are kept in memory at most
 * @param responses how answers are dressed
 * @param sharing what holds for counting together
 * @param clients for whom not all is as for everybody; the first that fits a call counts
 * @param overrides of single clients at single endpoints, set beside the file; they hold in the place of tiers and
 *     multiples, not of modes and exemptions
 * @param waitingThreads how many threads wait at most
 */
public record Limits(
        List<Endpoint> endpoints,
        Map<String, List<SubjectSource>> subjects,
        boolean caseSensitive,
        int maximumCounters,
        ResponseOptions responses,
        SharingOptions sharing,
        List<Client> clients,
        List<Client> overrides,
        WaitingThreads waitingThreads) {

    /** Limits that are the same for everybody, with all else as a file gets it that says nothing of it. */
    public Limits(
            List<Endpoint> endpoints,
            Map<String, List<SubjectSource>> subjects,
            boolean caseSensitive,
            int maximumCounters,
            ResponseOptions responses) {
        this(
                endpoints,
                subjects,
                caseSensitive,
                maximumCounters,
                responses,
                SharingOptions.DEFAULT,
                List.of(),
                List.of(),
                WaitingThreads.DEFAULT);
    }

    public Limits {
        endpoints = List.copyOf(endpoints);
        subjects = Map.copyOf(subjects);
        clients = List.copyOf(clients);
        overrides = List.copyOf(overrides);
    }

    /** The same with these clients. */
    public Limits withClients(List<Client> others) {
        return with(others, overrides);
    }

    /** The same with these limits set beside the file. */
    public Limits withOverrides(List<Client> others) {
        return with(clients, others);
    }

    private Limits with(List<Client> known, List<Client> besideFile) {
        return new Limits(
                endpoints,
                subjects,
                caseSensitive,
                maximumCounters,
                responses,
                sharing,
                known,
                besideFile,
                waitingThreads);
    }

    /** All tiers, also those for clients alone. */
    public Stream<Tier> tiers() {
        Stream<Tier> ofAll = endpoints.stream().flatMap(endpoint -> endpoint.tiers().stream());
        Stream<Tier> ofClients = Stream.concat(clients.stream(), overrides.stream())
                .flatMap(client -> client.endpoints().values().stream())
                .flatMap(List::stream);
        return Stream.concat(ofAll, ofClients);
    }

    /** The shortest time between two exchanges that a tier asks for. */
    public Duration shortestInterval() {
        return tiers().map(tier -> tier.sync().every())
                .min(Comparator.naturalOrder())
                .orElse(Sync.DEFAULT.every());
    }

    /**
     * How many threads of the service may wait at the same time, each kind counted for itself: waits in queues are long,
     * and must not use up what the short waits for the store need.
     *
     * @param turns for their turns in queues
     * @param store for a store that answers slowly
     */
    public record WaitingThreads(int turns, int store) {

        /** The most of either kind. */
        public static final int MOST = 1_000_000;

        private static final int TURNS_A_PROCESSOR = 4;
        private static final int FEWEST_TURNS = 8;
        private static final int HALF_OF_A_USUAL_POOL = 100;

        /** What a file that says nothing gets: half of the threads that containers have if they are not told otherwise. */
        public static final WaitingThreads DEFAULT = new WaitingThreads(
                Math.max(
                        FEWEST_TURNS,
                        Math.min(TURNS_A_PROCESSOR * Runtime.getRuntime().availableProcessors(), HALF_OF_A_USUAL_POOL)),
                HALF_OF_A_USUAL_POOL);
    }
}
