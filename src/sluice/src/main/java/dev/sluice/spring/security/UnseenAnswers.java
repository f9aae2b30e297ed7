package dev.sluice.spring.security;

import dev.sluice.Endpoint;
import dev.sluice.Phase;
import dev.sluice.internal.config.extension.FaultLog;
import dev.sluice.internal.config.keys.EndpointNotation;
import dev.sluice.internal.servlet.call.ServletCall;
import dev.sluice.limits.Explanation;
import dev.sluice.open.Sluice;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs a warning, once for each endpoint, if the endpoint is configured to count responses that it never sees. There
 * are three possible reasons. Spring Security might respond before the endpoint is applied, a failed login might have a
 * different status, or a failed login might not be reported. Thread-safe.
 */
final class UnseenAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(UnseenAnswers.class);

    /**
     * The statuses of failed logins. An endpoint that counts only these statuses is probably meant to count failed
     * logins.
     */
    private static final Set<Integer> REFUSED_LOGINS = Set.of(401, 403);

    private final Sluice sluice;
    private final FaultLog faults = new FaultLog(LOG, Level.WARN);
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** The reasons why an endpoint does not see a response. */
    private enum Fault {
        ASKED_TOO_LATE,
        OTHER_STATUS,
        UNREPORTED
    }

    UnseenAnswers(Sluice sluice) {
        this.sluice = sluice;
    }

    /** Checks a call after the response to it. */
    void check(AnsweredCall call) {
        if (call.hasPassedSecurity() && !call.hasFailedToLogIn() && !call.seemsToHaveFailedUnreported(true)) {
            return;
        }
        try {
            if (sluice.limits().endpoints().stream().anyMatch(one -> fault(one, call) != null)) {
                sluice.explain(new ServletCall(call.request(), (any, isMadeUp) -> false)).stream()
                        .map(Explanation::endpoint)
                        .distinct()
                        .forEach(one -> warn(one, fault(one, call), call.status()));
            }
        } catch (RuntimeException e) {
            faults.report("Could not check which responses a limit does not see; decisions are not affected.", e);
        }
    }

    private @Nullable Fault fault(Endpoint endpoint, AnsweredCall call) {
        if (warned.contains(endpoint.id())) {
            return null;
        }
        if (!call.hasPassedSecurity() && isAskedTooLate(endpoint, call.status(), call.hasFailedToLogIn())) {
            return Fault.ASKED_TOO_LATE;
        }
        if (call.hasFailedToLogIn() && expectsOtherStatus(endpoint, call.status())) {
            return Fault.OTHER_STATUS;
        }
        return endpoint.countsFailedLogins() && call.seemsToHaveFailedUnreported(isLogin(endpoint))
                ? Fault.UNREPORTED
                : null;
    }

    /**
     * Whether an endpoint is probably meant for logins. This is assumed only if each of its patterns matches a single
     * path. If a pattern matches several paths, calls that are not login attempts could also result in status 401.
     */
    private static boolean isLogin(Endpoint endpoint) {
        return endpoint.pathPatterns().stream().allMatch(pattern -> pattern.indexOf('*') < 0);
    }

    private boolean isAskedTooLate(Endpoint endpoint, int status, boolean failed) {
        boolean counts = endpoint.countsFailedLogins()
                ? failed
                : endpoint.countedStatuses().contains(status);
        return counts && sluice.phaseOf(endpoint) == Phase.AFTER_AUTHENTICATION;
    }

    private static boolean expectsOtherStatus(Endpoint endpoint, int status) {
        Set<Integer> expected = endpoint.countedStatuses();
        return !expected.isEmpty() && REFUSED_LOGINS.containsAll(expected) && !expected.contains(status);
    }

    private void warn(Endpoint endpoint, @Nullable Fault fault, int status) {
        if (fault == null || !warned.add(endpoint.id())) {
            return;
        }
        switch (fault) {
            case ASKED_TOO_LATE ->
                LOG.warn(
                        "The limit {} did not count a {} response from Spring Security. The limit needs the"
                                + " authenticated caller, so it applies only behind Spring Security, which had already"
                                + " responded. Use a subject that is known earlier, such as per: [ ip ] (logged once)",
                        endpoint.id(),
                        status);
            case OTHER_STATUS ->
                LOG.warn(
                        "The limit {} counts the statuses {}, but a failed login got the status {}. To count all failed"
                                + " logins, write count: { outcome: login-failure } (logged once)",
                        endpoint.id(),
                        String.join(", ", EndpointNotation.countedStatuses(endpoint)),
                        status);
            case UNREPORTED ->
                LOG.warn(
                        "The limit {} counts failed logins. A call got the status {}, which looks like a failed login,"
                                + " but no failed login was reported, so it was not counted. If it was one, make your"
                                + " AuthenticationManager a bean that is declared as AuthenticationManager, pass the"
                                + " AuthenticationEventPublisher bean to your ProviderManager, or call"
                                + " RateLimit.loginFailed(request) when a login fails (logged once)",
                        endpoint.id(),
                        status);
        }
    }
}
