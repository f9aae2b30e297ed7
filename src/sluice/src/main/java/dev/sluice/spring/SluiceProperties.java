package dev.sluice.spring;

import dev.sluice.internal.servlet.inflight.ParkedCalls.Parking;
import dev.sluice.spring.actuate.StoreUnavailableStatus;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code sluice.*}, without {@code sluice.limits}. The texts become descriptions in IDEs.
 *
 * @param enabled whether there is a limiter at all
 * @param config the file with the limits: a path, or {@code classpath:} and a name; by default {@code rate-limits.yml}
 *     in {@code config} or directly in the working directory, else on the class path
 * @param store the URI of the store; overrides the one in the file; {@code memory:} to count in this process alone
 * @param server the name of this instance, which must be unique
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
     * @param order its order among the filters; by default just before Spring Security
     * @param parking which calls are parked without a thread: queued ones, or none
     */
    record Filter(
            @DefaultValue("true") boolean enabled,
            @Nullable Integer order,
            @DefaultValue("turns") Parking parking) {}

    /**
     * The health indicator.
     *
     * @param storeUnavailable the status while the store does not answer and the limiter decides without it
     */
    record Health(@DefaultValue("UP") StoreUnavailableStatus storeUnavailable) {}

    /**
     * The meters.
     *
     * @param clients how many of the clients that call most, and how many of those that are refused most, get their own
     *     meters
     */
    record Metrics(@DefaultValue("20") int clients) {}
}
