package dev.sluice.spring.security;

import dev.sluice.internal.servlet.underway.RememberedDecision;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;

/** A call that Spring Security, or the application behind it, has answered. */
record AnsweredCall(HttpServletRequest request, HttpServletResponse response) {

    /** By default, Spring Security redirects a failed login to {@code /login?error}. */
    private static final Pattern TO_ERROR = Pattern.compile("[^?]*+\\?(?:.*&)?error(?:[=&#].*)?");

    private static final int REDIRECTS = 300;

    int status() {
        return response.getStatus();
    }

    boolean hasPassedSecurity() {
        return RequestUnderWay.hasPassedSecurity(request);
    }

    boolean hasFailedToLogIn() {
        return RememberedDecision.hasFailedToLogIn(request);
    }

    /** Whether Spring Security has refused a token. Managers that know no events may have done so: see RFC 6750. */
    boolean hasRefusedToken() {
        return status() == HttpServletResponse.SC_UNAUTHORIZED
                && !hasPassedSecurity()
                && !RequestUnderWay.hasTriedToLogIn(request)
                && response.getHeaders("WWW-Authenticate").stream()
                        .anyMatch(challenge -> challenge.contains("error=\"invalid_token\""));
    }

    /** Whether a login of which nobody has told seems to have failed; always {@code false} if there were no credentials. */
    boolean seemsToHaveFailedUnreported(boolean atLogin) {
        if (status() < REDIRECTS || hasFailedToLogIn() || RequestUnderWay.hasTriedToLogIn(request)) {
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
