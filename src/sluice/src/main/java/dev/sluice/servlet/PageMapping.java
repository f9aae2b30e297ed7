package dev.sluice.servlet;

import dev.sluice.page.SluicePage;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recognises requests for a {@link SluicePage} that is mapped to a prefix, such as {@code /_sluice/*}. The filter
 * limits a request for such a page only if the request could be a password guess. Requests for a page with any other
 * mapping are limited like all other requests.
 *
 * @param pages the name of the servlet for each URL pattern
 */
record PageMapping(Map<String, String> pages) {

    private static final String BELOW = "/*";

    /** The mapping of the page; {@code null} if the application has no page that is mapped to a prefix. */
    static @Nullable PageMapping of(ServletContext context) {
        Map<String, String> pages = new HashMap<>();
        for (ServletRegistration registration :
                context.getServletRegistrations().values()) {
            if (SluicePage.class.getName().equals(registration.getClassName())) {
                for (String mapping : registration.getMappings()) {
                    if (mapping.endsWith(BELOW) && mapping.length() > BELOW.length()) {
                        pages.put(mapping, registration.getName());
                    }
                }
            }
        }
        return pages.isEmpty() ? null : new PageMapping(pages);
    }

    /**
     * Whether a request is for the page. This method does not read the decoded path, because Jetty throws an exception
     * if the path is ambiguous.
     */
    boolean leadsTo(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.REQUEST && isPage(request.getHttpServletMapping());
    }

    private boolean isPage(HttpServletMapping mapping) {
        String page = pages.get(mapping.getPattern());
        return page != null && page.equals(mapping.getServletName());
    }
}
