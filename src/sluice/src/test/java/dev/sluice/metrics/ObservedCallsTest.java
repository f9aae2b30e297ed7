package dev.sluice.metrics;

import static dev.sluice.TestLimits.awaitingOutcomes;
import static dev.sluice.TestLimits.endpoint;
import static dev.sluice.TestLimits.perMinute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.Call;
import dev.sluice.Cost;
import dev.sluice.Decision;
import dev.sluice.Eventually;
import dev.sluice.TestCall;
import dev.sluice.TestClock;
import dev.sluice.TestLimits;
import dev.sluice.internal.limiter.CountingRateLimiter;
import dev.sluice.limits.Limits;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Traces show calls that were refused or pending, and nothing of other calls. */
class ObservedCallsTest {

    private static final Call CALL = TestCall.get("/login").of("acme");

    private final TestClock clock = new TestClock(1_627_318_780_000L);
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    ObservedCallsTest() {
        observations
                .observationConfig()
                .observationHandler(new ObservationHandler.AllMatchingCompositeObservationHandler(
                        new DefaultMeterObservationHandler(meters)));
    }

    private CountingRateLimiter limiter(Limits limits) {
        return new CountingRateLimiter(limits, clock, new ObservedCalls(observations));
    }

    private CountingRateLimiter once() {
        return limiter(TestLimits.of(endpoint("login", "/login", perMinute(1))));
    }

    /** The keys of the observation in which a call was decided. */
    private Map<String, String> keys(CountingRateLimiter limiter) {
        Observation request = Observation.start("request", observations);
        Map<String, String> keys = new TreeMap<>();
        try (Observation.Scope scope = request.openScope()) {
            limiter.decide(CALL);
        }
        for (KeyValue key : request.getContext().getAllKeyValues()) {
            keys.put(key.getKey(), key.getValue());
        }
        request.stop();
        return keys;
    }

    @Test
    void anAdmittedCallHasNoKeys() {
        try (CountingRateLimiter limiter = once()) {
            assertThat(keys(limiter)).isEmpty();
        }
    }

    @Test
    void aRefusedCallHasTheKeysOfItsLimit() {
        try (CountingRateLimiter limiter = once()) {
            limiter.decide(CALL);
            assertThat(keys(limiter))
                    .isEqualTo(Map.of(
                            "sluice.endpoint",
                            "login",
                            "sluice.tier",
                            perMinute(1).name(),
                            "sluice.outcome",
                            "refused"));
        }
    }

    @Test
    void aCallThatWaitedHasKeysThatSayWhatFor() throws Exception {
        Limits limits = awaitingOutcomes(
                100,
                TestLimits.of(
                        TestLimits.counting(endpoint("login", "GET /login", perMinute(1)), Set.of(401), Cost.ONE)));
        try (CountingRateLimiter limiter = limiter(limits)) {
            Decision first = limiter.decide(CALL);
            Thread[] waiting = new Thread[1];
            CompletableFuture<Map<String, String>> second = CompletableFuture.supplyAsync(() -> {
                waiting[0] = Thread.currentThread();
                return keys(limiter);
            });
            Eventually.await(
                    "a call that waits",
                    () -> waiting[0] != null && waiting[0].getState() == Thread.State.TIMED_WAITING);
            Objects.requireNonNull(first.ticket()).ended(200);
            assertThat(second.get())
                    .containsEntry("sluice.pending", "awaiting-outcomes")
                    .containsEntry("sluice.endpoint", "login")
                    .containsEntry("sluice.outcome", "admitted");
        }
    }

    @Test
    void aCallWithoutAnObservationIsDecidedNormally() {
        try (CountingRateLimiter limiter = once()) {
            assertThatCode(() -> {
                        limiter.decide(CALL);
                        limiter.decide(CALL);
                    })
                    .doesNotThrowAnyException();
        }
    }

    /** Prometheus would drop calls whose timer had tags other than those of the first call. */
    @Test
    void theTimerOfRequestsKeepsItsTags() {
        try (CountingRateLimiter limiter = once()) {
            assertThat(keys(limiter)).isEmpty();
            assertThat(keys(limiter)).isNotEmpty();
            assertThat(meters.get("request").timers())
                    .singleElement()
                    .satisfies(timer -> assertThat(timer.count()).isEqualTo(2));
        }
    }
}
