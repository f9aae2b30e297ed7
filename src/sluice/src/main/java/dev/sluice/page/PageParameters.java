package dev.sluice.page;

import dev.sluice.internal.page.PageAccess;
import dev.sluice.open.Sluice;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the init-params of the page. */
final class PageParameters {

    private static final String ROLES = "roles";
    private static final String OPEN = "open";
    private static final String CHANGE_ROLES = "changeRoles";

    private PageParameters() {}

    /** Determines who can read the page. Init-params take precedence over settings in code. */
    static PageAccess access(ServletConfig config, PageAccess inCode) throws ServletException {
        for (String name : Collections.list(config.getInitParameterNames())) {
            if (!name.equals(ROLES) && !name.equals(OPEN) && !name.equals(CHANGE_ROLES)) {
                throw new ServletException(where(config, name) + " is unknown; expected: " + ROLES
                        + " (for example operator, support), " + OPEN + " (true or false) or " + CHANGE_ROLES
                        + " (for example admin)");
            }
        }
        String open = config.getInitParameter(OPEN);
        if (open != null && !open.strip().equals("true") && !open.strip().equals("false")) {
            throw new ServletException(where(config, OPEN) + " must be true or false");
        }
        Set<String> roles = roles(config, ROLES, "operator, support");
        boolean isOpen =
                open == null ? roles == null && inCode.open() : open.strip().equals("true");
        if (isOpen && roles != null) {
            throw new ServletException(where(config, OPEN) + " lets everybody read the page, but " + ROLES
                    + " lets only some; set only one of the two");
        }
        return new PageAccess(roles == null ? inCode.roles() : roles, isOpen);
    }

    /** Determines who can give calls and reset usage. An init-param takes precedence over the setting in code. */
    static PageAccess changes(ServletConfig config, PageAccess inCode) throws ServletException {
        Set<String> roles = roles(config, CHANGE_ROLES, "admin");
        return roles == null ? inCode : new PageAccess(roles, false);
    }

    /** Returns the roles in an init-param; {@code null} if it is not set. */
    private static @Nullable Set<String> roles(ServletConfig config, String param, String example)
            throws ServletException {
        String roles = config.getInitParameter(param);
        if (roles != null && split(roles).isEmpty()) {
            throw new ServletException(where(config, param) + " names no role; list roles, for example " + example);
        }
        return roles == null ? null : split(roles);
    }

    private static Set<String> split(String roles) {
        return Stream.of(roles.split(","))
                .map(String::strip)
                .filter(role -> !role.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the limiter to show. This is the limiter passed in code or, if there is none, the only limiter that the
     * application's filters use.
     */
    static Sluice limiter(ServletConfig config, @Nullable Sluice inCode) throws ServletException {
        if (inCode != null) {
            return inCode;
        }
        ServletContext context = config.getServletContext();
        List<Sluice> found = new ArrayList<>();
        for (String name : Collections.list(context.getAttributeNames())) {
            if (context.getAttribute(name) instanceof Sluice sluice && !found.contains(sluice)) {
                found.add(sluice);
            }
        }
        if (found.size() == 1) {
            return found.get(0);
        }
        throw new ServletException("servlet " + config.getServletName() + " cannot start: "
                + (found.isEmpty()
                        ? "it found no limiter. Register a RateLimitFilter in the same application, or construct "
                                + "the servlet with SluicePage.of(sluice)"
                        : "it found " + found.size() + " limiters. Construct a servlet for each, with "
                                + "SluicePage.of(sluice)"));
    }

    private static String where(ServletConfig config, String param) {
        return "servlet " + config.getServletName() + ": init-param \"" + param + '"';
    }
}
