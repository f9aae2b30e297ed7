package dev.sluice.limits;

import dev.sluice.Endpoint;
import dev.sluice.ResponseOptions;
import dev.sluice.Subject;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All limits of one {@code rate-limits.yml}. This is an immutable snapshot, which a reload replaces as a whole.
 * Thread-safe.
 *
 * @param endpoints the enabled endpoints
 * @param subjects the sources of each subject by the subject's name, in the order in which they are tried. Every name
 *     in an endpoint's {@code per} is a key
 * @param caseSensitive whether {@code /Login} and {@code /login} are different paths
 * @param maximumCounters the maximum number of counters in memory
 * @param responses the headers, status and body of responses
 * @param sharing options for counting with other instances
 * @param clients callers with their own settings; if several match a call, the first one applies
 * @param overrides clients with limits that were set outside the file. Their tiers replace tiers and factors, but not
 *     modes and exemptions. An override that names an endpoint without tiers multiplies the limits there. An override
 *     without endpoints multiplies all limits. Overrides for an endpoint take precedence over overrides for all
 *     endpoints. If several overrides match a call, the first one applies. Overrides of plans come last. Their only
 *     subject is {@link ClientOverride#PLAN}. The client's own settings in the file multiply or replace the tiers of
 *     such an override in the same way as the plan's tiers
 * @param pendingCalls the maximum number of pending calls of each kind
 * @param plans the plans, and how to find each caller's plan
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
        PendingCalls pendingCalls,
        Plans plans) {

    /** Creates limits without plans. */
    public Limits(
            List<Endpoint> endpoints,
            Map<String, List<SubjectSource>> subjects,
            boolean caseSensitive,
            int maximumCounters,
            ResponseOptions responses,
            SharingOptions sharing,
            List<Client> clients,
            List<Client> overrides,
            PendingCalls pendingCalls) {
        this(
                endpoints,
                subjects,
                caseSensitive,
                maximumCounters,
                responses,
                sharing,
                clients,
                overrides,
                pendingCalls,
                Plans.NONE);
    }

    /** Creates limits without clients and plans, and with the default options. */
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
                PendingCalls.DEFAULT);
    }

    public Limits {
        endpoints = List.copyOf(endpoints);
        subjects = Map.copyOf(subjects);
        clients = List.copyOf(clients);
        overrides = List.copyOf(overrides);
    }

    /** Returns a copy with the given clients. */
    public Limits withClients(List<Client> others) {
        return with(others, overrides, plans);
    }

    /** Returns a copy with the given plans. */
    public Limits withPlans(Plans others) {
        return with(clients, overrides, others);
    }

    /** Returns a copy with the given overrides. */
    public Limits withOverrides(List<Client> others) {
        return with(clients, others, plans);
    }

    private Limits with(List<Client> otherClients, List<Client> otherOverrides, Plans otherPlans) {
        return new Limits(
                endpoints,
                subjects,
                caseSensitive,
                maximumCounters,
                responses,
                sharing,
                otherClients,
                otherOverrides,
                pendingCalls,
                otherPlans);
    }

    /**
     * Returns the keys of the clients with this display name. The source of a key is empty if any source can yield the
     * key.
     */
    public List<Subject> named(String name) {
        Stream<Subject> listed = clients.stream()
                .filter(client ->
                        client.displayName().equals(name) && client.who().size() == 1)
                .flatMap(client -> client.who().entrySet().stream())
                .flatMap(who -> who.getValue().stream().map(key -> new Subject(who.getKey(), "", key)))
                .filter(key -> !name.isEmpty() && !key.value().contains("*"));
        Plans.Directory directory = plans.directory();
        Stream<Subject> others = directory == null
                ? Stream.of()
                : directory.clients().named(name).stream()
                        .map(one -> new Subject(directory.subject(), one.source(), one.key()));
        return Stream.concat(listed, others).distinct().toList();
    }

    /**
     * Returns the key of a client that a user has specified by its key or by its display name.
     *
     * @return the key; the typed text itself if it is not a display name
     * @throws IllegalArgumentException if several keys have this display name
     */
    public String keyOf(String subject, String typed) {
        Plans.Directory directory = plans.directory();
        boolean isKey = clients.stream()
                        .anyMatch(client ->
                                client.who().getOrDefault(subject, List.of()).contains(typed))
                || (directory != null && directory.clients().lists(typed));
        List<String> named = isKey
                ? List.of()
                : named(typed).stream()
                        .filter(one -> one.name().equals(subject))
                        .map(Subject::value)
                        .distinct()
                        .toList();
        if (named.size() > 1) {
            throw new IllegalArgumentException(typed + " stands for " + named.size() + " keys; write one of them");
        }
        return named.isEmpty() ? typed : named.get(0);
    }

    /**
     * Returns the display name of the client with this key, regardless of the source that yields the key; {@code null}
     * if the client has no display name.
     *
     * @param key the key as {@link #keyOf} returns it; for a secret key, its hash
     */
    public @Nullable String nameOf(String subject, String key) {
        return Stream.concat(
                        Stream.of(""),
                        subjects.getOrDefault(subject, List.of()).stream().map(SubjectSource::name))
                .map(source -> plans.nameOf(new Subject(subject, source, key)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns all tiers, including those of clients and plans. */
    public Stream<Tier> tiers() {
        Stream<Tier> ofAll = endpoints.stream().flatMap(endpoint -> endpoint.tiers().stream());
        Stream<Tier> ofClients = Stream.concat(clients.stream(), overrides.stream())
                .flatMap(client -> client.endpoints().values().stream())
                .flatMap(List::stream);
        Stream<Tier> ofPlans = plans.byName().values().stream()
                .flatMap(plan -> plan.endpoints().values().stream())
                .flatMap(List::stream);
        return Stream.of(ofAll, ofClients, ofPlans).flatMap(tiers -> tiers);
    }

    /** Returns the shortest {@code sync.every} of all tiers. */
    public Duration shortestInterval() {
        return tiers().map(tier -> tier.sync().every())
                .min(Comparator.naturalOrder())
                .orElse(Sync.DEFAULT.every());
    }

    /**
     * The maximum numbers of calls that can be pending at the same time. Each kind of pending call has its own maximum,
     * because calls can stay in queues for a long time. Queued calls must not use up the threads that short waits for
     * the store need.
     *
     * @param queued the maximum number of calls that wait on a thread for their turn in a queue
     * @param waiting the maximum number of calls that wait for the store when it is slow
     * @param awaitingOutcomes the maximum number of calls that await the outcomes of other calls, at limits that count
     *     calls by their outcome. Calls that hold no thread are included
     */
    public record PendingCalls(int queued, int waiting, int awaitingOutcomes) {

        /** The largest allowed value of each component. */
        public static final int MOST = 1_000_000;

        private static final int QUEUED_A_PROCESSOR = 4;
        private static final int FEWEST_QUEUED = 8;
        private static final int HALF_OF_A_USUAL_POOL = 100;

        /** The defaults. Each maximum is at most half the usual number of container threads. */
        public static final PendingCalls DEFAULT = new PendingCalls(
                Math.max(
                        FEWEST_QUEUED,
                        Math.min(
                                QUEUED_A_PROCESSOR * Runtime.getRuntime().availableProcessors(), HALF_OF_A_USUAL_POOL)),
                HALF_OF_A_USUAL_POOL,
                HALF_OF_A_USUAL_POOL);
    }
}
