package dev.sluice.spring.security;

import dev.sluice.internal.servlet.underway.RememberedDecision;
import dev.sluice.servlet.RateLimit;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The state of a request on its way through Spring Security, kept in its attributes. */
final class RequestUnderWay {

    private static final String TRYING = RequestUnderWay.class.getName() + ".trying";
    private static final String TRIED = RequestUnderWay.class.getName() + ".tried";
    private static final String PASSED = RequestUnderWay.class.getName() + ".passed";

    private RequestUnderWay() {}

    private static @Nullable HttpServletRequest ofThisThread() {
        return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes known
                ? known.getRequest()
                : null;
    }

    /**
     * Records that the request of this thread tries to log in; returns {@code false} if there is no request, or if it
     * already tries.
     */
    static boolean beginLogin() {
        HttpServletRequest request = ofThisThread();
        if (request == null || request.getAttribute(TRYING) != null) {
            return false;
        }
        request.setAttribute(TRYING, true);
        request.setAttribute(TRIED, true);
        return true;
    }

    /** Whether the limits admit the login of this thread's request. */
    static boolean mayLogIn() {
        HttpServletRequest request = ofThisThread();
        return request == null || RememberedDecision.beginLogin(request);
    }

    static void endLogin() {
        HttpServletRequest request = ofThisThread();
        if (request != null) {
            request.removeAttribute(TRYING);
        }
    }

    /** Records that the request of this thread has logged in or failed to. */
    static void triedToLogIn() {
        HttpServletRequest request = ofThisThread();
        if (request != null) {
            request.setAttribute(TRIED, true);
        }
    }

    static boolean hasTriedToLogIn(ServletRequest request) {
        return request.getAttribute(TRIED) != null;
    }

    /** Reports to the limits that the request of this thread failed to log in. */
    static void loginFailed() {
        HttpServletRequest request = ofThisThread();
        if (request != null) {
            RateLimit.loginFailed(request);
        }
    }

    /** Records that Spring Security has admitted a request. */
    static void passedSecurity(ServletRequest request) {
        request.setAttribute(PASSED, true);
    }

    static boolean hasPassedSecurity(ServletRequest request) {
        return request.getAttribute(PASSED) != null;
    }

    /** Runs a filter with the request in {@link RequestContextHolder}; usually it is already there. */
    static void during(HttpServletRequest request, HttpServletResponse response, Work work)
            throws IOException, ServletException {
        RequestAttributes known = RequestContextHolder.getRequestAttributes();
        if (known != null) {
            work.run();
            return;
        }
        ServletRequestAttributes own = new ServletRequestAttributes(request, response);
        RequestContextHolder.setRequestAttributes(own);
        try {
            work.run();
        } finally {
            RequestContextHolder.resetRequestAttributes();
            own.requestCompleted();
        }
    }

    /** The work of a filter. */
    @FunctionalInterface
    interface Work {

        void run() throws IOException, ServletException;
    }
}
