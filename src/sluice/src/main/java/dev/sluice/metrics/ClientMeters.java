package dev.sluice.metrics;

import dev.sluice.internal.text.SafeText;
import dev.sluice.traffic.CallerTraffic;
import dev.sluice.traffic.EndpointTraffic;
import dev.sluice.traffic.TrafficReport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gauges for three groups of clients: the busiest clients, the most refused clients, and the clients nearest their
 * limits. The calls of an endpoint's remaining clients are counted under {@link #OTHER}. A client's gauges are removed
 * once the client has left all three groups. The number of gauges is therefore bounded, regardless of what callers
 * send. Not thread-safe: {@link SluiceMeters} guards it.
 */
final class ClientMeters {

    private static final int LONGEST_NAME = 128;

    /** The name for all clients without their own gauges. No client can have this name. */
    static final String OTHER = "other";

    private final MeterRegistry registry;
    private final int most;
    private final Map<Series, ClientGauges> gauges = new HashMap<>();

    ClientMeters(MeterRegistry registry, int most) {
        this.registry = registry;
        this.most = most;
    }

    /** A client at an endpoint where the client has its own gauges. */
    record Series(String endpoint, String client) {}

    void show(TrafficReport report) {
        Map<Series, GaugeValues> shown = new LinkedHashMap<>();
        for (EndpointTraffic endpoint : report.endpoints()) {
            shown.put(new Series(endpoint.endpoint(), OTHER), GaugeValues.of(endpoint));
        }
        Stream.of(report.mostCalling(most), report.mostRefused(most), report.nearestLimit(most))
                .flatMap(Collection::stream)
                .distinct()
                .forEach(caller -> show(caller, shown));
        gauges.entrySet().removeIf(entry -> {
            GaugeValues values = shown.get(entry.getKey());
            boolean isGone = values == null || !Objects.equals(entry.getValue().tier, values.tier());
            if (isGone) {
                entry.getValue().remove();
            }
            return isGone;
        });
        shown.forEach((series, values) -> gauges.computeIfAbsent(
                        series, first -> new ClientGauges(registry, series, values.tier()))
                .show(values));
    }

    private static void show(CallerTraffic caller, Map<Series, GaugeValues> shown) {
        GaugeValues values = GaugeValues.of(caller);
        shown.merge(
                new Series(caller.endpoint(), SafeText.cut(caller.client(), LONGEST_NAME)), values, GaugeValues::plus);
        shown.computeIfPresent(new Series(caller.endpoint(), OTHER), (series, others) -> others.minus(values));
    }

    /**
     * The values of a client's gauges.
     *
     * @param tier the last reported tier; {@code null} for {@link #OTHER}
     */
    record GaugeValues(
            long allowed,
            long refused,
            long wouldRefuse,
            @Nullable String tier,
            long limit,
            long used) {

        private static GaugeValues of(CallerTraffic caller) {
            return new GaugeValues(
                    caller.calls().allowed(),
                    caller.calls().refused(),
                    caller.calls().wouldRefuse(),
                    caller.latest().tier().name(),
                    caller.latest().capacity(),
                    caller.latest().used());
        }

        private static GaugeValues of(EndpointTraffic endpoint) {
            long reported = endpoint.allowed() - endpoint.reportedElsewhere();
            return new GaugeValues(reported, endpoint.refused(), endpoint.wouldRefuse(), null, 0, 0);
        }

        /**
         * Adds the values of a second client with the same name. Names can be equal, for example, if a header value
         * looks like an address.
         */
        private GaugeValues plus(GaugeValues other) {
            GaugeValues nearer = (double) used / limit >= (double) other.used / other.limit ? this : other;
            return new GaugeValues(
                    allowed + other.allowed,
                    refused + other.refused,
                    wouldRefuse + other.wouldRefuse,
                    nearer.tier,
                    nearer.limit,
                    nearer.used);
        }

        private GaugeValues minus(GaugeValues part) {
            return new GaugeValues(
                    Math.max(0, allowed - part.allowed),
                    Math.max(0, refused - part.refused),
                    Math.max(0, wouldRefuse - part.wouldRefuse),
                    tier,
                    limit,
                    used);
        }
    }

    /** The gauges of one client at one endpoint. */
    private static final class ClientGauges {

        private final MeterRegistry registry;
        private final @Nullable String tier;
        private final List<Gauge> all;
        private volatile GaugeValues shown = new GaugeValues(0, 0, 0, null, 0, 0);

        private ClientGauges(MeterRegistry registry, Series series, @Nullable String tier) {
            this.registry = registry;
            this.tier = tier;
            String endpoint = series.endpoint();
            String client = series.client();
            Stream<Gauge> calls = Stream.of(
                    MeterDefinition.CLIENT_CALLS.gauge(
                            registry, this, of -> of.shown.allowed, endpoint, client, "allowed"),
                    MeterDefinition.CLIENT_CALLS.gauge(
                            registry, this, of -> of.shown.refused, endpoint, client, "refused"),
                    MeterDefinition.CLIENT_CALLS.gauge(
                            registry, this, of -> of.shown.wouldRefuse, endpoint, client, "would-refuse"));
            Stream<Gauge> values = tier == null
                    ? Stream.of()
                    : Stream.of(
                            MeterDefinition.CLIENT_LIMIT.gauge(
                                    registry, this, of -> of.shown.limit, endpoint, client, tier),
                            MeterDefinition.CLIENT_USED.gauge(
                                    registry, this, of -> of.shown.used, endpoint, client, tier));
            this.all = Stream.concat(calls, values).toList();
        }

        private void show(GaugeValues values) {
            shown = values;
        }

        private void remove() {
            all.forEach(registry::remove);
        }
    }
}
