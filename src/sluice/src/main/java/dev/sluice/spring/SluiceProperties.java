package dev.sluice.spring;

import dev.sluice.internal.servlet.inflight.ParkedCalls.Parking;
import dev.sluice.spring.actuate.StoreUnavailableStatus;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code sluice.*} properties, except {@code sluice.limits}. IDEs show the parameter comments as descriptions.
 *
 * @param enabled whether limits apply. If {@code false}, every call passes
 * @param config the file with the limits: a path, or {@code classpath:} and a name. By default, this is {@code
 *     rate-limits.yml} in {@code config} or directly in the working directory, or otherwise on the class path
 * @param store the URI of the store. It overrides the URI in the file. {@code memory:} to count only in this process
 * @param server the unique name of this instance
 * @param filter the filter
 * @param health the health indicator
 * @param metrics the meters
 */
@ConfigurationProperties("sluice")
record SluiceProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String config,
        @Nullable String store,
        @Nullable String server,
        @DefaultValue Filter filter,
        @DefaultValue Health health,
        @DefaultValue Metrics metrics) {

    /**
     * The filter.
     *
     * @param enabled whether to register the filter
     * @param order the order of the filter; by default just before Spring Security
     * @param parking which calls are parked without a thread: queued calls or no calls
     */
    record Filter(
            @DefaultValue("true") boolean enabled,
            @Nullable Integer order,
            @DefaultValue("turns") Parking parking) {}

    /**
     * The health indicator.
     *
     * @param storeUnavailable the health status while the store is unavailable and the limiter decides without it
     */
    record Health(@DefaultValue("UP") StoreUnavailableStatus storeUnavailable) {}

    /**
     * The meters.
     *
     * @param clients the number of top clients that get their own meters. This number of clients is chosen by their
     *     calls, the same number by their refusals, and the same number by how near they are to their limits
     */
    record Metrics(@DefaultValue("20") int clients) {}
}
