package dev.sluice.servlet;

import dev.sluice.config.Sluice;

/**
 * Gives a limiter that {@code web.xml} starts what no file can give it: resolvers, meters, a store of the application's
 * own. The init-param {@code customizer} of the filter names a class with a public constructor without parameters; or
 * a {@code ServletContextListener} sets an instance as an attribute of the servlet context, under the name of this
 * interface. If there are both, the attribute is asked first.
 */
@FunctionalInterface
public interface SluiceCustomizer {

    /** Called once, after the init-params were read and before the limiter starts. */
    void customize(Sluice.Builder limiter);
}
