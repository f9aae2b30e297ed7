package dev.sluice.spring.security;

import dev.sluice.internal.servlet.inflight.RememberedDecision;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimit;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * The filter in front of Spring Security, for limits that do not need the authenticated caller. This filter sees the
 * responses to all requests.
 */
public final class BeforeAuthentication implements Filter {

    private final Filter limits;
    private final UnseenAnswers unseen;

    /**
     * Wraps the filter that consults the limiter.
     *
     * @param sluice the whole limiter, including the limits that apply behind Spring Security
     */
    public BeforeAuthentication(Filter limits, Sluice sluice) {
        this.limits = limits;
        this.unseen = new UnseenAnswers(sluice);
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        limits.init(config);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest && response instanceof HttpServletResponse) {
            LoginsOfThread.during(
                    RememberedDecision.logins(request),
                    () -> limits.doFilter(request, response, (on, to) -> goOn(on, to, chain)));
        } else {
            limits.doFilter(request, response, chain);
        }
    }

    private void goOn(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && request instanceof HttpServletRequest httpRequest
                && response instanceof HttpServletResponse httpResponse) {
            AnsweredCall call = new AnsweredCall(httpRequest, httpResponse);
            if (call.hasRefusedToken()) {
                RateLimit.loginFailed(request);
            } else if (!request.isAsyncStarted() && !call.hasFailedToLogIn()) {
                RateLimit.loggedIn(request); // returns the permits taken from limits on failed logins
            }
            unseen.check(call);
        }
    }

    @Override
    public void destroy() {
        limits.destroy();
    }
}
