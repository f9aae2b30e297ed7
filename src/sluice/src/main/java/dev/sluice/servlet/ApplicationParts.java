package dev.sluice.servlet;

import dev.sluice.open.Sluice;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * Provides a filter with the application's own handler and customizers. Either {@code web.xml} names their classes, or
 * the application has stored instances in the servlet context under the names of their interfaces.
 */
final class ApplicationParts {

    static final String REFUSAL_HANDLER = "refusalHandler";
    static final String CUSTOMIZER = "customizer";

    private ApplicationParts() {}

    /** The application's handler; {@code null} if there is none. */
    static @Nullable RefusalHandler refusalHandler(FilterConfig config) throws ServletException {
        RefusalHandler named = named(config, REFUSAL_HANDLER, RefusalHandler.class);
        RefusalHandler shared = shared(config, RefusalHandler.class);
        return named != null ? named : shared;
    }

    /** Runs the application's customizers, starting with the one in the servlet context. */
    static void customize(FilterConfig config, Sluice.Builder limiter) throws ServletException {
        SluiceCustomizer shared = shared(config, SluiceCustomizer.class);
        SluiceCustomizer named = named(config, CUSTOMIZER, SluiceCustomizer.class);
        if (shared != null) {
            customize(config, limiter, shared);
        }
        if (named != null) {
            customize(config, limiter, named);
        }
    }

    private static void customize(FilterConfig config, Sluice.Builder limiter, SluiceCustomizer customizer)
            throws ServletException {
        try {
            customizer.customize(limiter);
        } catch (RuntimeException | LinkageError e) {
            throw new ServletException(
                    "filter " + config.getFilterName() + " cannot start: its customizer, "
                            + customizer.getClass().getName() + ", failed: " + e,
                    e);
        }
    }

    private static <T> @Nullable T shared(FilterConfig config, Class<T> type) throws ServletException {
        Object attribute = config.getServletContext().getAttribute(type.getName());
        if (attribute == null || type.isInstance(attribute)) {
            return type.cast(attribute);
        }
        throw new ServletException("filter " + config.getFilterName() + ": the attribute " + type.getName()
                + " of the servlet context is a " + attribute.getClass().getName() + ", which does not implement the "
                + type.getSimpleName() + " of this web application; set an object that does");
    }

    private static <T> @Nullable T named(FilterConfig config, String param, Class<T> type) throws ServletException {
        String name = config.getInitParameter(param);
        if (name == null) {
            return null;
        }
        String where = "filter " + config.getFilterName() + ": init-param \"" + param + "\": ";
        try {
            Class<?> found = classOf(config, name.strip());
            if (!type.isAssignableFrom(found)) {
                throw new ServletException(where + found.getName() + " does not implement " + type.getName());
            }
            return type.cast(found.getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new ServletException(
                    where + "the web application has no class \"" + name.strip() + "\"; write the full name, "
                            + "such as com.example.shop." + type.getSimpleName() + "s",
                    e);
        } catch (InvocationTargetException e) {
            throw new ServletException(where + "the constructor of " + name.strip() + " failed: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new ServletException(
                    where + name.strip() + " is not a public class with a public constructor without parameters", e);
        } catch (LinkageError e) {
            throw new ServletException(where + name.strip() + " cannot be loaded: " + e, e);
        }
    }

    /**
     * Loads an application class. An embedded container might have no class loader for the application, or a class
     * loader that finds only resources.
     */
    private static Class<?> classOf(FilterConfig config, String name) throws ClassNotFoundException {
        ClassLoader application = config.getServletContext().getClassLoader();
        if (application != null) {
            try {
                return Class.forName(name, true, application);
            } catch (ClassNotFoundException e) {
                // fall back to this class's own class loader
            }
        }
        return Class.forName(name, true, ApplicationParts.class.getClassLoader());
    }
}
