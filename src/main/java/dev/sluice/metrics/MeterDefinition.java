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

/** All meters, with their names and tags: what is not here is not measured. {@code docs/metrics.md} lists the same. */
enum MeterDefinition {
    DECISIONS("sluice.decisions", "Calls that met a limit, by their outcome", "endpoint", "tier", "outcome"),
    BLOCKS(
            "sluice.blocks",
            "Callers that this instance has blocked, since they went on after refusals",
            "endpoint",
            "tier"),
    CLIENT_CALLS(
            "sluice.client.calls",
            "Calls of the heaviest clients within the last minute, and of all others",
            "endpoint",
            "client",
            "outcome"),
    CLIENT_LIMIT(
            "sluice.client.limit",
            "How many calls the tier that was reported last lets the client make at one moment",
            "endpoint",
            "client",
            "tier"),
    CLIENT_USED(
            "sluice.client.used",
            "How many of these are used, as of the client's last call",
            "endpoint",
            "client",
            "tier"),
    EXCHANGES("sluice.exchanges", "Exchanges with the store that were answered, and how soon"),
    EXCHANGE_COUNTERS("sluice.exchange.counters", "Counters in each answered batch"),
    EXCHANGE_FAILURES("sluice.exchange.failures", "Batches that the store refused or did not answer in time"),
    EXCHANGE_AGE("sluice.exchange.age", "How long ago the store answered last"),
    STORE_UP("sluice.store.up", "1 while the store answers, 0 while it is away"),
    STORE_WAITS("sluice.store.waits", "Calls that waited for the store, and how long"),
    OUTCOME_WAITS(
            "sluice.outcome.waits",
            "Calls that waited for the outcome of calls under way, which had taken all of a limit, and how long"),
    RECALLS("sluice.recalls", "Counters of which the store recalled permits for other instances"),
    OVER_LIMIT(
            "sluice.over.limit",
            "Calls admitted here beyond a fixed window's threshold before the store was told, at most"),
    COUNTERS("sluice.counters", "Counters in memory"),
    EVICTIONS("sluice.evictions", "Counters dropped from memory because there are maximumCounters"),
    RELOADS("sluice.reloads", "Changes of the file, by whether they are in force", "result"),
    FILE_IN_FORCE("sluice.file.in.force", "1 while the file as it stands is in force, 0 while it has mistakes"),
    CLIENT_OVERRIDES("sluice.client.overrides", "Limits of single clients that are set outside the file");

    final String meterName;
    final String description;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    final List<String> tags;

    MeterDefinition(String meterName, String description, String... tags) {
        this.meterName = meterName;
        this.description = description;
        this.tags = List.of(tags);
    }

    /** The tags of a meter, in the order in which they are declared. */
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

    /** Reads the state whenever the meter is read. The caller has to keep a reference to the state. */
    <T> Gauge gauge(MeterRegistry registry, T state, ToDoubleFunction<T> value, String... tagValues) {
        return Gauge.builder(meterName, state, value)
                .description(description)
                .baseUnit(this == EXCHANGE_AGE ? "seconds" : null)
                .tags(of(tagValues))
                .register(registry);
    }
}
