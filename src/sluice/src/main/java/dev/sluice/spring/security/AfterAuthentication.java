package dev.sluice.spring.security;

import dev.sluice.servlet.RateLimit;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;

/**
 * The filter behind Spring Security, for limits that need the authenticated caller. If Spring Security has rejected a
 * request, the filter skips the request's error page. That page is not a separate call, and its caller is not
 * authenticated.
 */
public final class AfterAuthentication implements Filter {

    private static final String PASSED = AfterAuthentication.class.getName() + ".passed";

    private final Filter limits;

    /** Wraps the filter that consults the limiter. */
    public AfterAuthentication(Filter limits) {
        this.limits = limits;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        limits.init(config);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        boolean isError = request.getDispatcherType() == DispatcherType.ERROR;
        if (isError && !hasPassedSecurity(request)) {
            chain.doFilter(request, response);
            return;
        }
        if (!isError) {
            passed(request);
        }
        limits.doFilter(request, response, chain);
    }

    /** Whether Spring Security has admitted the request. */
    static boolean hasPassedSecurity(ServletRequest request) {
        return request.getAttribute(PASSED) != null;
    }

    /**
     * Reports a successful login if the caller is authenticated. Other callers could still attempt to log in within the
     * application and fail.
     */
    static void passed(ServletRequest request) {
        request.setAttribute(PASSED, true);
        if (request instanceof HttpServletRequest http && http.getUserPrincipal() != null) {
            RateLimit.loggedIn(request);
        }
    }

    @Override
    public void destroy() {
        limits.destroy();
    }
}
