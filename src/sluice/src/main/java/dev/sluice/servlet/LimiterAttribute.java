package dev.sluice.servlet;

import dev.sluice.Endpoint;
import dev.sluice.open.Sluice;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes a filter's limiter as an attribute of the servlet context, where the page for operators and other filters
 * can find it. An application can have several filters, for example one in {@code web.xml} and one registered in code.
 *
 * @param attribute the attribute's name, including the name of the filter
 */
record LimiterAttribute(ServletContext context, String attribute) {

    private static final Logger LOG = LoggerFactory.getLogger(LimiterAttribute.class);

    private static final String PREFIX = "dev.sluice.internal.limiter.";
    private static final int MOST_NAMED = 3;

    private static final String TWICE =
            "Filter {} has its own limiter ({}), and so does filter {} ({}). Both limit {}, so a call that passes both"
                    + " filters is counted twice. Register only one of them, in web.xml or in code, or give both the same "
                    + "Sluice.";

    /**
     * Publishes a limiter. Logs a warning for every other limiter that limits some of the same endpoints. Reports each
     * pair of limiters only once, even if several filters share them.
     */
    static LimiterAttribute add(FilterConfig config, Sluice limiter) {
        ServletContext context = config.getServletContext();
        Map<Sluice, String> filters = new HashMap<>();
        for (String name : Collections.list(context.getAttributeNames())) {
            if (name.startsWith(PREFIX) && context.getAttribute(name) instanceof Sluice published) {
                filters.putIfAbsent(published, name.substring(PREFIX.length()));
            }
        }
        if (!filters.containsKey(limiter)) {
            filters.forEach((other, filter) -> warnOfSameEndpoints(config.getFilterName(), limiter, filter, other));
        }
        context.setAttribute(PREFIX + config.getFilterName(), limiter);
        return new LimiterAttribute(context, PREFIX + config.getFilterName());
    }

    private static void warnOfSameEndpoints(String filter, Sluice limiter, String otherFilter, Sluice other) {
        TreeSet<String> shared = new TreeSet<>(ids(limiter));
        shared.retainAll(ids(other));
        if (!shared.isEmpty()) {
            LOG.warn(TWICE, filter, file(limiter), otherFilter, file(other), named(shared));
        }
    }

    private static List<String> ids(Sluice limiter) {
        return limiter.status().limits().endpoints().stream().map(Endpoint::id).toList();
    }

    private static String file(Sluice limiter) {
        return limiter.status().file().name();
    }

    private static String named(TreeSet<String> ids) {
        String first = String.join(", ", ids.stream().limit(MOST_NAMED).toList());
        return ids.size() <= MOST_NAMED ? first : first + " and " + (ids.size() - MOST_NAMED) + " more";
    }

    void remove() {
        context.removeAttribute(attribute);
    }
}
