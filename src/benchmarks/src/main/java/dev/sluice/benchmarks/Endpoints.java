package dev.sluice.benchmarks;

import dev.sluice.Endpoint;
import dev.sluice.Mode;
import dev.sluice.RateLimitListener;
import dev.sluice.ResponseOptions;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Client;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.internal.match.caller.CallerAddress;
import dev.sluice.internal.match.caller.CallerWarnings;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.tier.Limit;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The endpoints in a benchmark's file, with paths that match them. */
final class Endpoints {

    /** More calls than any benchmark can make. */
    static final long PLENTY = 1_000_000_000L;

    private final List<Endpoint> endpoints = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private int maximumCounters = 100_000;

    /**
     * The given number of endpoints, similar to those of a service. No two endpoints match the same path. The patterns
     * of half of the endpoints end with a star; the others continue after the variable segment.
     */
    static Endpoints ofService(int count) {
        return ofService(count, tier(10, PLENTY));
    }

    /** The given number of endpoints of a service, each with the given tier. */
    static Endpoints ofService(int count, Tier tier) {
        return ofService(0, count, tier);
    }

    /** Ten endpoints of a service, including the endpoint of {@link #someServicePaths()}. */
    static Endpoints tenOfService() {
        return ofService(10, 20, tier(10, PLENTY));
    }

    private static Endpoints ofService(int from, int to, Tier tier) {
        Endpoints made = new Endpoints();
        for (int i = from; i < to; i++) {
            made.add("endpoint-" + i, "/api/" + resource(i) + (i % 2 == 0 ? "/*" : "/{id}/items"), tier);
        }
        return made;
    }

    /** Creates the given number of endpoints. Their patterns differ only in the end of one segment. */
    static Endpoints ofEndings(int count) {
        Endpoints made = new Endpoints();
        for (int i = 0; i < count; i++) {
            made.add("ending-" + i, "/files/*.type" + i, tier(10, PLENTY));
        }
        return made;
    }

    /** One limit for the whole application, keyed by address. */
    static Endpoints ofAddresses() {
        Endpoints made = new Endpoints();
        made.endpoints.add(new Endpoint(
                "all", Set.of(), "/**", List.of("address"), Mode.ENFORCE, List.of(tier(10, PLENTY))));
        return made;
    }

    Endpoints add(String id, String pattern, Tier... tiers) {
        endpoints.add(new Endpoint(id, Set.of("GET"), pattern, List.of("tenant"), Mode.ENFORCE, List.of(tiers)));
        return this;
    }

    /**
     * Returns the same endpoints with the given number of clients. The clients' limits are ten times as high. The first
     * ten clients are tenants that call, and the others never call.
     */
    Endpoints withClients(int count, boolean globs) {
        Tenants tenants = Tenants.named(Spread.UNIFORM);
        for (int i = 0; i < count; i++) {
            String name = (i < 10 ? tenants.name(i) : "nobody-%05d".formatted(i)) + (globs ? "*" : "");
            clients.add(new Client(Map.of("tenant", List.of(name)), false, BigDecimal.TEN, null, Map.of()));
        }
        return this;
    }

    Endpoints withRoomFor(int counters) {
        maximumCounters = counters;
        return this;
    }

    static Tier tier(int seconds, long threshold) {
        return new Tier(seconds + "s", new Limit.FixedWindow(threshold, Duration.ofSeconds(seconds)));
    }

    /**
     * 1,000 paths, evenly distributed over the endpoints of {@link #ofService(int)}. The number of paths is always the
     * same, so the cost of creating their strings does not depend on the number of endpoints.
     */
    static String[] pathsOfService(int count) {
        String[] paths = new String[1_000];
        for (int i = 0; i < paths.length; i++) {
            int endpoint = i % count;
            paths[i] = "/api/" + resource(endpoint) + "/" + (100_000 + i) + (endpoint % 2 == 0 ? "" : "/items");
        }
        return paths;
    }

    /** 1,000 paths, evenly distributed over the endpoints of {@link #ofEndings(int)}. */
    static String[] pathsOfEndings(int count) {
        String[] paths = new String[1_000];
        Arrays.setAll(paths, i -> "/files/" + (100_000 + i) + ".type" + i % count);
        return paths;
    }

    /** 64 paths of one endpoint of {@link #ofService(int)}. */
    static String[] someServicePaths() {
        String[] paths = new String[64];
        Arrays.setAll(paths, i -> "/api/" + resource(14) + "/" + (100_000 + i));
        return paths;
    }

    private static String resource(int i) {
        return "resource-" + i / 2;
    }

    /**
     * Opens a limiter with these endpoints. These are keyed by the {@code X-Org-Id} header or, if it is missing, by
     * address.
     */
    CountingRateLimiter open() {
        return open(RateLimitListener.NONE);
    }

    CountingRateLimiter open(RateLimitListener listener) {
        SubjectSources sources = new SubjectSources(
                "server",
                new CallerAddress(List.of(), 64, () -> {}),
                call -> null,
                Map.of(),
                SecretDigest.unkeyed(),
                CallerWarnings.NONE);
        Map<String, List<SubjectSource>> subjects = Map.of(
                "tenant",
                List.of(sources.parse("header:X-Org-Id"), sources.parse("ip")),
                "address",
                List.of(sources.parse("ip")));
        Limits limits = new Limits(endpoints, subjects, true, maximumCounters, ResponseOptions.DEFAULT).withClients(clients);
        return new CountingRateLimiter(limits, InstantSource.system(), listener);
    }
}
