package dev.sluice.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What {@code sluice.*} may say beside {@code sluice.limits}.
 *
 * @param enabled whether there is a limiter at all
 * @param config where the limits are: a path, or {@code classpath:} and a name; if nothing is said, {@code
 *     rate-limits.yml} in {@code config} or beside the application, and then on the class path
 * @param store where instances count together, whatever the file says: a URI, or {@code memory:}
 * @param server names this instance; must differ from that of every other instance
 * @param filter where the filter stands
 * @param health what the health endpoint says
 * @param metrics what is metered
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
     * Where the filter stands.
     *
     * @param enabled whether requests pass it
     * @param order its place before Spring Security, or among all filters where that is not there; by default just
     *     before Spring Security
     */
    record Filter(
            @DefaultValue("true") boolean enabled, @Nullable Integer order) {}

    /**
     * What the health endpoint says.
     *
     * @param storeAway the status while the store does not answer and the limiter decides without it
     */
    record Health(@DefaultValue("UP") String storeAway) {}

    /**
     * What is metered.
     *
     * @param clients how many of the clients that call most, and of those that are refused most, have meters of their
     *     own
     */
    record Metrics(@DefaultValue("20") int clients) {}
}
