package dev.sluice.benchmarks.fleet;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.Limit;
import dev.sluice.Limits;
import dev.sluice.Mode;
import dev.sluice.RateLimitListener;
import dev.sluice.Replies;
import dev.sluice.SubjectSource;
import dev.sluice.Sync;
import dev.sluice.Tier;
import dev.sluice.limiter.CountingRateLimiter;
import dev.sluice.store.CounterStores;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sluice, as {@code redis://} in the file sets it up. */
final class SluiceLimiter implements Instance {

    private final CountingRateLimiter limiter;

    private SluiceLimiter(String uri, double slack) {
        this.limiter = new CountingRateLimiter(
                limits(slack),
                InstantSource.system(),
                RateLimitListener.NONE,
                CounterStores.open(uri),
                UUID.randomUUID().toString());
    }

    static Instance usual(String uri) {
        return new SluiceLimiter(uri, Sync.DEFAULT.slack());
    }

    static Instance exact(String uri) {
        return new SluiceLimiter(uri, 0);
    }

    private static Limits limits(double slack) {
        Tier tier =
                new Tier("10s", new Limit.FixedWindow(Rule.THRESHOLD, Rule.PERIOD), new Sync(Rule.SYNC, slack, false));
        Endpoint endpoint = new Endpoint(
                "get-product", Set.of("GET"), "/product/*", List.of("tenant"), Mode.ENFORCE, List.of(tier));
        SubjectSource header = new SubjectSource("header:X-Org-Id", call -> call.header("X-Org-Id"));
        return new Limits(List.of(endpoint), Map.of("tenant", List.of(header)), true, 100_000, Replies.DEFAULT);
    }

    @Override
    public boolean admits(String tenant) {
        return limiter.decide(new ProductCall(tenant)).admitted();
    }

    @Override
    public void close() {
        limiter.close();
    }

    private record ProductCall(String tenant) implements Call {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/product/1";
        }

        @Override
        public String ip() {
            return "192.0.2.1";
        }

        @Override
        public @Nullable String header(String name) {
            return name.equals("X-Org-Id") ? tenant : null;
        }
    }
}
