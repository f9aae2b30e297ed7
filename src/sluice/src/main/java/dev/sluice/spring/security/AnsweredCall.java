package dev.sluice.spring.security;

import dev.sluice.internal.servlet.inflight.RememberedDecision;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;

/** A call to which Spring Security, or the application behind it, has responded. */
record AnsweredCall(HttpServletRequest request, HttpServletResponse response) {

    /** Matches the target to which Spring Security redirects after a failed login, by default {@code /login?error}. */
    private static final Pattern TO_ERROR = Pattern.compile("[^?]*+\\?(?:.*&)?error(?:[=&#].*)?");

    private static final int REDIRECTS = 300;

    int status() {
        return response.getStatus();
    }

    boolean hasPassedSecurity() {
        return AfterAuthentication.hasPassedSecurity(request);
    }

    boolean hasFailedToLogIn() {
        return RememberedDecision.logins(request).haveFailed();
    }

    /**
     * Whether Spring Security has rejected a token. The response header defined in RFC 6750 reveals this even if the
     * authentication manager has not published an event.
     */
    boolean hasRefusedToken() {
        return status() == HttpServletResponse.SC_UNAUTHORIZED
                && !hasPassedSecurity()
                && !RememberedDecision.logins(request).haveBegun()
                && response.getHeaders("WWW-Authenticate").stream()
                        .anyMatch(challenge -> challenge.contains("error=\"invalid_token\""));
    }

    /** Whether the call looks like an unreported failed login. A call without credentials never does. */
    boolean seemsToHaveFailedUnreported(boolean atLogin) {
        if (status() < REDIRECTS
                || hasFailedToLogIn()
                || RememberedDecision.logins(request).haveBegun()) {
            return false;
        }
        if (request.getHeader("Authorization") != null) {
            return status() == HttpServletResponse.SC_UNAUTHORIZED
                    || (status() == HttpServletResponse.SC_FORBIDDEN && !hasPassedSecurity());
        }
        return atLogin
                && request.getMethod().equals("POST")
                && (status() == HttpServletResponse.SC_UNAUTHORIZED || leadsToError());
    }

    private boolean leadsToError() {
        String target = response.getHeader("Location");
        return status() / 100 * 100 == REDIRECTS
                && target != null
                && TO_ERROR.matcher(target).matches();
    }
}
