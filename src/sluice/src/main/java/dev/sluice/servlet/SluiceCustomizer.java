package dev.sluice.servlet;

import dev.sluice.open.Sluice;

/**
 * Configures everything that the limits file cannot contain, such as resolvers, meters or the application's own store.
 * Use a customizer if a filter in {@code web.xml} or Spring Boot opens the limiter.
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
 * <p>With {@code web.xml}, there are two ways to register a customizer. The filter's {@code customizer} init-param can
 * name a public class with a public no-argument constructor. Alternatively, a {@code ServletContextListener} can store
 * an instance in the servlet context, as an attribute with the name of this interface. If you use both ways, the
 * instance in the servlet context is called first. In Spring Boot, declare beans of this type. They are called in bean
 * order after properties and other beans have been applied, so they can override both.
 */
@FunctionalInterface
public interface SluiceCustomizer {

    /**
     * Configures the limiter. This method is called once, on one thread, after init-params or properties have been read
     * and before the limiter starts.
     *
     * @param limiter the builder, never {@code null}. Do not call its {@code open} method. If {@code customize} throws
     *     an exception, the limiter does not start
     */
    void customize(Sluice.Builder limiter);
}
