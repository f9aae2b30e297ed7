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

/** What is known of a request on its way through Spring Security, in attributes of it. */
final class RequestUnderWay {

    private static final String FAILED = RequestUnderWay.class.getName() + ".failed";
    private static final String BEHIND = RequestUnderWay.class.getName() + ".behind";

    private RequestUnderWay() {}

    /** The login failed that the request of this thread tried. */
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

    /** Spring Security has let it pass. */
    static void passedSecurity(ServletRequest request) {
        request.setAttribute(BEHIND, true);
    }

    static boolean hasPassedSecurity(ServletRequest request) {
        return request.getAttribute(BEHIND) != null;
    }

    /** Does something with the request at hand for whoever asks {@link RequestContextHolder}, as mostly it is already. */
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

    /** What a filter does. */
    @FunctionalInterface
    interface Work {

        void run() throws IOException, ServletException;
    }
}
