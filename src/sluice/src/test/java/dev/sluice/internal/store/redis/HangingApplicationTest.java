package dev.sluice.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.internal.instance.status.RefusalLog;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.limits.KnownClient;
import dev.sluice.open.Sluice;
import dev.sluice.traffic.CallerNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

/** Whatever of the application hangs, this instance goes on to exchange counts and to report that it is alive. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangingApplicationTest {

    private static final String LIMITS = """
        store: { uri: "%s", onStart: wait 10s }
        reload: 100ms
        sync: { every: 100ms, timeout: 10s }
        clients: { from: customers, defaultPlan: free }
        plans: { free: { multiply: 1 } }
        endpoints:
          - { id: once, pathPattern: /once, tiers: [ { period: 1h, threshold: 1 } ] }
          - { id: api, pathPattern: /api, tiers: [ { period: 1h, threshold: 100 } ] }
        """;

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final Set<String> hanging = ConcurrentHashMap.newKeySet();
    private RedisServer redis;

    @BeforeEach
    void start() {
        redis = RedisServer.open();
    }

    @AfterEach
    void stop() {
        end.complete(null);
        redis.close();
    }

    private void hang() {
        hanging.add(Thread.currentThread().getName());
        end.join(); // no interrupt ends this
    }

    private final class HangingFile implements ConfigSource {

        private boolean wasRead;

        @Override
        public String name() {
            return "rate-limits.yml";
        }

        @Override
        public synchronized byte[] read() {
            if (wasRead) {
                hang();
            }
            wasRead = true;
            return LIMITS.formatted(redis.patientUri()).getBytes(StandardCharsets.UTF_8);
        }
    }

    private final class HangingOverrides implements ClientOverrideSource {
        @Override
        public CompletionStage<Optional<Overrides>> changedSince(String version) {
            hang();
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    private final class HangingClients implements ClientSource {
        @Override
        public CompletionStage<Optional<KnownClient>> find(String source, String value) {
            hang();
            return CompletableFuture.completedFuture(Optional.empty());
        }
    }

    private Logger hangingLogger() {
        return mock(Logger.class, called -> {
            hang();
            return null;
        });
    }

    private boolean hasKey(String pattern) {
        return !((List<?>) redis.call("KEYS", pattern)).isEmpty();
    }

    @Test
    void delaysNeitherExchangesNorHeartbeats() {
        RefusalLog refusals = new RefusalLog(hangingLogger(), () -> Duration.ofMillis(50), CallerNames.NONE);
        refusals.follow();
        try (Sluice limits = Sluice.builder()
                .listener(refusals)
                .config(new HangingFile())
                .overrideSource(new HangingOverrides())
                .clientSource("customers", new HangingClients())
                .open()) {
            assertThat(limits.decide(TestCall.get("/api").of("first")).admitted())
                    .isTrue();
            assertThat(limits.decide(TestCall.get("/once").of("first")).admitted())
                    .isTrue();
            assertThat(limits.decide(TestCall.get("/once").of("first")).admitted())
                    .isFalse();
            Eventually.await(
                    () -> "all of it hangs, not only " + hanging,
                    () -> hanging.equals(
                            Set.of("sluice-watch", "sluice-overrides", "sluice-clients", "sluice-refusals")));
            redis.call("FLUSHALL");
            assertThat(limits.decide(TestCall.get("/api").of("second")).admitted())
                    .isTrue();
            Eventually.await("an exchange", () -> hasKey("*second*"));
            Eventually.await("a heartbeat", () -> hasKey("sluice:{limits}:instance:*"));
            end.complete(null);
        }
        refusals.close();
    }
}
