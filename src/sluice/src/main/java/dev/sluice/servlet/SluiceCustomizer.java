package dev.sluice.servlet;

import dev.sluice.open.Sluice;

/**
 * Configures what the limits file cannot contain, such as resolvers, meters or the application's own store. It is meant
 * for limiters that are opened by a filter in {@code web.xml} or by Spring Boot.
 *
 * <pre>{@code
 * public final class ShopLimits implements SluiceCustomizer {
 *
 *     @Override
 *     public void customize(Sluice.Builder limiter) {
 *         limiter.resolver("plan", call -> "gold".equals(call.header("X-Plan")) ? "gold" : "free")
 *                 .listener(new SluiceMeters(Metrics.globalRegistry));
 *     }
 * }
 * }</pre>
 *
 * <p>With {@code web.xml}, name a public class with a public constructor without parameters in the filter's init-param
 * {@code customizer}; or let a {@code ServletContextListener} set an instance as an attribute of the servlet context,
 * under the name of this interface. If there are both, the attribute is called first. In Spring Boot, declare beans of
 * this type. They are called in their order, after properties and other beans have been applied, so they can override
 * both.
 */
@FunctionalInterface
public interface SluiceCustomizer {

    /**
     * Called once, after init-params or properties have been read and before the limiter starts, on one thread.
     *
     * @param limiter the builder, never {@code null}; do not call its {@code open} method. If this method throws, the
     *     limiter does not start
     */
    void customize(Sluice.Builder limiter);
}
