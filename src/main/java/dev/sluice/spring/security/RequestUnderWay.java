package dev.sluice.spring.security;

import dev.sluice.servlet.RateLimit;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/** The state of a request on its way through Spring Security, kept in its attributes. */
final class RequestUnderWay {

    private static final String FAILED = RequestUnderWay.class.getName() + ".failed";
    private static final String BEHIND = RequestUnderWay.class.getName() + ".behind";

    private RequestUnderWay() {}

    /** Records that the login of this thread's request failed, and reports it to the limits. */
    static void loginFailed() {
        if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes known) {
            HttpServletRequest request = known.getRequest();
            request.setAttribute(FAILED, true);
            RateLimit.loginFailed(request);
        }
    }

    static boolean hasFailedToLogIn(ServletRequest request) {
        return request.getAttribute(FAILED) != null;
    }

    /** Records that Spring Security has let a request pass. */
    static void passedSecurity(ServletRequest request) {
        request.setAttribute(BEHIND, true);
    }

    static boolean hasPassedSecurity(ServletRequest request) {
        return request.getAttribute(BEHIND) != null;
    }

    /** Runs a filter while {@link RequestContextHolder} has the request; usually it already does. */
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
