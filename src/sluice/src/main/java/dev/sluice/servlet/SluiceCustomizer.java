package dev.sluice.servlet;

import dev.sluice.open.Sluice;

/**
 * Configures a limiter beyond what a file can contain: resolvers, meters, a store of the application's own. For
 * limiters that a filter in {@code web.xml} or Spring Boot opens.
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
 * this type: all are called in their order, after properties and other beans, so they can replace those.
 */
@FunctionalInterface
public interface SluiceCustomizer {

    /**
     * Called once, after init-params or properties have been read and before the limiter starts, on one thread.
     *
     * @param limiter the builder, never {@code null}; do not open it. What this method throws stops the start
     */
    void customize(Sluice.Builder limiter);
}
