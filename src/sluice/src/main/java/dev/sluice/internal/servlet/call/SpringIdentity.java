package dev.sluice.internal.servlet.call;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Compares the caller that Spring Security has stored for this thread with the caller that its repositories have stored
 * for the request. This class stores nothing itself, because the application decides whether a login outlives the
 * thread.
 */
final class SpringIdentity {

    /** The request attribute in which {@code RequestAttributeSecurityContextRepository} stores callers. */
    private static final String OF_REQUEST =
            "org.springframework.security.web.context.RequestAttributeSecurityContextRepository.SPRING_SECURITY_CONTEXT";
    /** The session attribute in which {@code HttpSessionSecurityContextRepository} stores callers. */
    private static final String OF_SESSION = "SPRING_SECURITY_CONTEXT";

    private SpringIdentity() {}

    static boolean returnsWith(HttpServletRequest request) {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller == null
                || caller instanceof AnonymousAuthenticationToken
                || isOf(caller, request.getAttribute(OF_REQUEST))
                || isKeptInSession(caller, request);
    }

    private static boolean isKeptInSession(Authentication caller, HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        return session != null && isOf(caller, session.getAttribute(OF_SESSION));
    }

    private static boolean isOf(Authentication caller, Object kept) {
        return kept instanceof SecurityContext context && caller.equals(context.getAuthentication());
    }
}
