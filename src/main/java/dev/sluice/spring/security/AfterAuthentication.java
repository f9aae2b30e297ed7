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
 * Stands behind Spring Security and asks the limits that need to know who is calling. The error page of a request that
 * Security has refused is not asked for: nobody was authenticated, and it is no call of its own.
 */
public final class AfterAuthentication implements Filter {

    private final Filter limits;

    /** Asks these limits. */
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
        if (isError && !RequestUnderWay.hasPassedSecurity(request)) {
            chain.doFilter(request, response);
            return;
        }
        if (!isError) {
            passed(request);
        }
        limits.doFilter(request, response, chain);
    }

    /** An authenticated caller has not failed to log in so far. Others may still fail, in the application itself. */
    private static void passed(ServletRequest request) {
        RequestUnderWay.passedSecurity(request);
        if (request instanceof HttpServletRequest http && http.getUserPrincipal() != null) {
            RateLimit.loggedIn(request);
        }
    }

    @Override
    public void destroy() {
        limits.destroy();
    }
}
