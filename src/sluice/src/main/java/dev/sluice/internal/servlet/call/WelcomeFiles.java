package dev.sluice.internal.servlet.call;

import dev.sluice.Call;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names of an application's welcome files, such as {@code index.html}. The servlet API does not expose them, but
 * containers do. They are looked up when the filter starts, and stored in an attribute of the servlet context.
 */
public final class WelcomeFiles {

    private static final String ATTRIBUTE = WelcomeFiles.class.getName();
    /** The attribute in which Tomcat and its derivatives list the names. */
    private static final String OF_TOMCAT = "org.apache.catalina.WELCOME_FILES";

    /** The chains of public methods that return the names for a Jetty or Undertow context. */
    private static final List<List<String>> METHODS = List.of(
            List.of("getContextHandler", "getWelcomeFiles"), // Jetty up to Jakarta EE 9
            List.of("getContext", "getContextHandler", "getWelcomeFiles"), // Jetty since Jakarta EE 10
            List.of("getDeployment", "getDeploymentInfo", "getWelcomePages"));

    private WelcomeFiles() {}

    /** Looks up the names and stores them in the context. */
    public static void keep(ServletContext context) {
        List<String> names = asStrings(context.getAttribute(OF_TOMCAT));
        for (List<String> methods : METHODS) {
            names = names.isEmpty() ? asStrings(ask(context, methods)) : names;
        }
        context.setAttribute(ATTRIBUTE, names.isEmpty() ? Call.WELCOME_FILES : names);
    }

    /** Returns the names that are stored in the context, or the default names if there are none. */
    static List<String> of(HttpServletRequest request) {
        try {
            List<String> names = asStrings(request.getServletContext().getAttribute(ATTRIBUTE));
            return names.isEmpty() ? Call.WELCOME_FILES : names;
        } catch (RuntimeException e) {
            return Call.WELCOME_FILES;
        }
    }

    private static @Nullable Object ask(ServletContext context, List<String> methods) {
        Object at = context;
        try {
            for (String method : methods) {
                at = at == null ? null : at.getClass().getMethod(method).invoke(at);
            }
            return at;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null; // this is a different container, or a later version without this method
        }
    }

    private static List<String> asStrings(@Nullable Object names) {
        Collection<?> all = names instanceof String[] array
                ? List.of(array)
                : names instanceof Collection<?> collection ? collection : List.of();
        return all.stream().map(String::valueOf).toList();
    }
}
