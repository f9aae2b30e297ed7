package dev.sluice.servlet;

import dev.sluice.config.Sluice;

/**
 * Adds to a limiter that a filter in {@code web.xml} opens what a file cannot contain: resolvers, meters, a store of the
 * application's own. The init-param {@code customizer} of the filter names a class with a public constructor without
 * parameters; or a {@code ServletContextListener} sets an instance as an attribute of the servlet context, under the name
 * of this interface. If there are both, the attribute comes first.
 */
@FunctionalInterface
public interface SluiceCustomizer {

    /** Called once, when the init-params have been read and before the limiter starts. */
    void customize(Sluice.Builder limiter);
}
