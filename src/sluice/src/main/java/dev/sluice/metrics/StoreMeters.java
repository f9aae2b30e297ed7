package dev.sluice.metrics;

import dev.sluice.ExchangeReport;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/**
 * The meters for exchanges with a store. The meters are registered at the store's first event, so that a service
 * without a store does not register them. Thread-safe.
 */
final class StoreMeters {

    private final Clock clock;
    private final Timer exchanges;
    private final DistributionSummary counters;
    private final Counter failures;
    private final Timer waits;
    private final Counter recalls;
    private final Counter overLimit;
    private volatile boolean unavailable;
    private volatile long answeredNanos;

    StoreMeters(MeterRegistry registry) {
        this.clock = registry.config().clock();
        this.answeredNanos = clock.monotonicTime();
        this.exchanges = MeterDefinition.EXCHANGES.timer(registry);
        this.counters = MeterDefinition.EXCHANGE_COUNTERS.summary(registry);
        this.failures = MeterDefinition.EXCHANGE_FAILURES.counter(registry);
        this.waits = MeterDefinition.STORE_WAITS.timer(registry);
        this.recalls = MeterDefinition.RECALLS.counter(registry);
        this.overLimit = MeterDefinition.OVER_LIMIT.counter(registry);
        MeterDefinition.STORE_UP.gauge(registry, this, store -> store.unavailable ? 0 : 1);
        MeterDefinition.EXCHANGE_AGE.gauge(registry, this, StoreMeters::ageSeconds);
    }

    private double ageSeconds() {
        return (clock.monotonicTime() - answeredNanos) / 1e9;
    }

    void record(ExchangeReport exchange) {
        answeredNanos = clock.monotonicTime();
        exchanges.record(exchange.took());
        counters.record(exchange.counters());
        overLimit.increment((double) exchange.overLimit());
    }

    void failed() {
        failures.increment();
    }

    void waited(long nanos) {
        waits.record(Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    void recalled(int counters) {
        recalls.increment(counters);
    }

    void setUnavailable(boolean now) {
        unavailable = now;
    }
}
