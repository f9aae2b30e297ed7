package dev.sluice.internal.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.Ticket;
import dev.sluice.internal.store.redis.server.ErrorOutput;
import dev.sluice.internal.store.redis.server.RedisServer;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A limiter that is closed leaves nothing behind in Redis or in this process, and goes on to decide as without its
 * store.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("store")
class CloseTest {

    private final ErrorOutput log = new ErrorOutput();
    private RedisServer redis;

    @BeforeEach
    void start() {
        redis = RedisServer.open();
    }

    @AfterEach
    void stop() {
        redis.close();
        log.close();
    }

    private Sluice open(String onFailure, String algorithm, int threshold) {
        String file = """
            store: { uri: "%s", onFailure: %s }
            sync: { timeout: 10s }
            endpoints:
              - id: api
                pathPattern: /api
                tiers: [ { period: 1h, threshold: %d, algorithm: %s } ]
            """.formatted(redis.patientUri(), onFailure, threshold, algorithm);
        return Sluice.builder().config(source(file)).open();
    }

    private static ConfigSource source(String text) {
        return new ConfigSource() {
            @Override
            public String name() {
                return "rate-limits.yml";
            }

            @Override
            public byte[] read() {
                return text.getBytes(StandardCharsets.UTF_8);
            }
        };
    }

    private static int admitted(Sluice limits, String tenant, int calls) {
        int admitted = 0;
        for (int i = 0; i < calls; i++) {
            Decision decision = limits.decide(TestCall.get("/api").of(tenant));
            admitted += decision.admitted() ? 1 : 0;
        }
        return admitted;
    }

    private long connections() {
        return ((String) redis.call("CLIENT", "LIST")).lines().count() - 1;
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-")
                        || thread.getName().startsWith("sluice-"))
                .collect(Collectors.toSet());
    }

    @Test
    void leaksNothingThoughItComesSoonAfterOpen() {
        Set<Thread> before = threads();
        for (int i = 0; i < 40; i++) {
            Sluice limits = open("local", "fixed-window", 10);
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100L * (i % 11)));
            limits.close();
        }
        Eventually.await(() -> "the end of all of " + redis.call("CLIENT", "LIST"), () -> connections() == 0);
        Eventually.await(() -> "the end of others than " + before, () -> before.containsAll(threads()));
        assertThat(log.lines()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "local, fixed-window, 7",
        "local, sliding-window, 7",
        "local, token-bucket, 7",
        "local, leaky-bucket, 7",
        "local, sliding-log, 7",
        "allow, fixed-window, 20",
        "allow, sliding-window, 20",
        "allow, token-bucket, 20",
        "deny, fixed-window, 0",
        "deny, sliding-window, 0",
        "deny, token-bucket, 0"
    })
    void letsThePolicyDecideAfterwards(String onFailure, String algorithm, int remaining) {
        Sluice limits = open(onFailure, algorithm, 10);
        assertThat(admitted(limits, "known", 3)).isEqualTo(3);
        limits.close();
        assertThat(admitted(limits, "known", 20)).isEqualTo(remaining);
        int whole = onFailure.equals("local") ? 10 : remaining;
        assertThat(admitted(limits, "new", 20)).isEqualTo(whole);
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void remembersWhatWasUsedWhileTheStoreWasUnavailable() {
        Sluice limits = open("local", "fixed-window", 10);
        assertThat(admitted(limits, "known", 3)).isEqualTo(3);
        redis.stop();
        assertThat(admitted(limits, "known", 4)).isEqualTo(4);
        limits.close();
        assertThat(admitted(limits, "known", 20)).isEqualTo(3);
    }

    @Test
    void freesSlotsOfCallsThatBeginAfterwards() {
        Sluice limits = Sluice.builder()
                .config(source("""
                    store: { uri: "%s" }
                    sync: { timeout: 10s }
                    endpoints:
                      - { id: api, pathPattern: /api, tiers: [ { threshold: 2, algorithm: concurrency } ] }
                    """.formatted(redis.patientUri())))
                .open();
        Ticket before = ticket(limits);
        limits.close();
        Ticket first = ticket(limits);
        ticket(limits);
        assertThat(admitted(limits, "known", 5)).isZero();
        before.ended(200);
        assertThat(admitted(limits, "known", 5)).isZero();
        first.ended(200);
        assertThat(admitted(limits, "known", 5)).isEqualTo(1);
    }

    private static Ticket ticket(Sluice limits) {
        return Objects.requireNonNull(
                limits.decide(TestCall.get("/api").of("known")).ticket(), "a ticket");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void doesNothingTheSecondTime(boolean atOnce) throws Exception {
        Sluice limits = open("local", "fixed-window", 10);
        assertThat(admitted(limits, "known", 3)).isEqualTo(3);
        Thread other = new Thread(limits::close);
        if (atOnce) {
            other.start();
        }
        limits.close();
        limits.close();
        other.join();
        assertThat(admitted(limits, "known", 20)).isEqualTo(7);
        limits.close();
        assertThat(log.lines()).isEmpty();
        assertThat(connections()).isZero();
    }
}
