package dev.sluice.servlet;

import dev.sluice.config.Sluice;

/**
 * Adds to a limiter that a filter in {@code web.xml} opens what a file cannot contain: resolvers, meters, a store of the
 * application's own. The init-param {@code customizer} of the filter names a class with a public constructor without
 * parameters; or a {@code ServletContextListener} sets an instance as an attribute of the servlet context, under the name
 * of this interface. If there are both, the attribute comes first. In Spring Boot, all beans of this type are called in
 * their order, after properties and other beans, which they may replace.
 */
@FunctionalInterface
public interface SluiceCustomizer {

    /** Called once, when init-params or properties have been read and before the limiter starts. */
    void customize(Sluice.Builder limiter);
}
