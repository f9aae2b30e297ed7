package dev.sluice.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** All meters, with their names and tags. {@code docs/metrics.md} documents them. */
enum MeterDefinition {
    ENDPOINT_CALLS("sluice.endpoint.calls", "Calls by outcome, at each endpoint that applies", "endpoint", "outcome"),
    DECISIONS("sluice.decisions", "Calls by outcome, at the tier that decided", "endpoint", "tier", "outcome"),
    BLOCKS(
            "sluice.blocks",
            "Callers that this instance has blocked because they kept calling after refusals",
            "endpoint",
            "tier"),
    CLIENT_CALLS(
            "sluice.client.calls",
            "Calls of the busiest clients in the last minute, and of all others together",
            "endpoint",
            "client",
            "outcome"),
    CLIENT_LIMIT(
            "sluice.client.limit",
            "How many calls the client can make at one time, in the last reported tier",
            "endpoint",
            "client",
            "tier"),
    CLIENT_USED(
            "sluice.client.used",
            "How many of these calls were used up after the client's latest call",
            "endpoint",
            "client",
            "tier"),
    EXCHANGES("sluice.exchanges", "Exchanges with a reply from the store, and their duration"),
    EXCHANGE_COUNTERS("sluice.exchange.counters", "Counters in each batch with a reply"),
    EXCHANGE_FAILURES("sluice.exchange.failures", "Batches that the store rejected or did not answer in time"),
    EXCHANGE_AGE("sluice.exchange.age", "Time since the store's last reply"),
    STORE_UP("sluice.store.up", "1 while the store responds, 0 while it is unavailable"),
    STORE_WAITS("sluice.store.waits", "Calls that waited for the store, and for how long"),
    OUTCOMES_AWAITED(
            "sluice.outcomes.awaited",
            "Calls that awaited outcomes because calls in flight had used up a limit, and for how long"),
    RECALLS("sluice.recalls", "Counters whose permits the store recalled for other instances"),
    OVER_LIMIT(
            "sluice.over.limit",
            "Upper bound of the calls admitted here beyond a fixed window's threshold before they reached the store"),
    COUNTERS("sluice.counters", "Counters in memory"),
    EVICTIONS("sluice.evictions", "Counters evicted from memory because maximumCounters was reached"),
    RELOADS("sluice.reloads", "Changes of the file, by whether they are in force", "result"),
    FILE_IN_FORCE("sluice.file.in.force", "1 while the current file is in force, 0 while it contains mistakes"),
    CLIENT_OVERRIDES("sluice.client.overrides", "Limits of individual clients that were set outside the file");

    final String meterName;
    final String description;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    final List<String> tags;

    MeterDefinition(String meterName, String description, String... tags) {
        this.meterName = meterName;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** Returns tags with these values. The values must be in declaration order. */
    private Tags of(String... values) {
        if (values.length != tags.size()) {
            throw new IllegalArgumentException(meterName + " has the tags " + tags);
        }
        Tags all = Tags.empty();
        for (int i = 0; i < values.length; i++) {
            all = all.and(Tag.of(tags.get(i), values[i]));
        }
        return all;
    }

    Counter counter(MeterRegistry registry, String... tagValues) {
        return Counter.builder(meterName)
                .description(description)
                .tags(of(tagValues))
                .register(registry);
    }

    Timer timer(MeterRegistry registry) {
        return Timer.builder(meterName).description(description).register(registry);
    }

    DistributionSummary summary(MeterRegistry registry) {
        return DistributionSummary.builder(meterName).description(description).register(registry);
    }

    /** Registers a gauge that reads the state. The caller must keep a strong reference to the state. */
    <T> Gauge gauge(MeterRegistry registry, T state, ToDoubleFunction<T> value, String... tagValues) {
        return Gauge.builder(meterName, state, value)
                .description(description)
                .baseUnit(this == EXCHANGE_AGE ? "seconds" : null)
                .tags(of(tagValues))
                .register(registry);
    }
}
