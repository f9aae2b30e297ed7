package dev.sluice.spring.security;

import dev.sluice.Endpoint;
import dev.sluice.config.Sluice;
import dev.sluice.config.fault.FaultLog;
import dev.sluice.limits.Explanation;
import dev.sluice.limits.Phase;
import dev.sluice.servlet.call.ServletCall;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Warns, once for each endpoint, that it counts answers which it never sees: Spring Security answers before the endpoint is
 * asked, or a failed login is answered with another status.
 */
final class UnseenAnswers {

    private static final Logger LOG = LoggerFactory.getLogger(UnseenAnswers.class);

    /** An endpoint that counts only these statuses is meant for failed logins. */
    private static final Set<Integer> REFUSED_LOGINS = Set.of(401, 403);

    private final Sluice sluice;
    private final FaultLog faults = new FaultLog(LOG, Level.WARN);
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    UnseenAnswers(Sluice sluice) {
        this.sluice = sluice;
    }

    /** A request has been answered with this status. */
    void answered(HttpServletRequest request, int status) {
        boolean passed = RequestUnderWay.hasPassedSecurity(request);
        boolean failed = RequestUnderWay.hasFailedToLogIn(request);
        if (passed && !failed) {
            return;
        }
        try {
            if (sluice.limits().endpoints().stream().anyMatch(one -> missesAnswer(one, status, passed, failed))) {
                endpoints(request).stream()
                        .filter(one -> missesAnswer(one, status, passed, failed))
                        .forEach(one -> warn(one, status));
            }
        } catch (RuntimeException e) {
            faults.report("It could not be found out whether a limit misses answers; the limits themselves hold.", e);
        }
    }

    private List<Endpoint> endpoints(HttpServletRequest request) {
        return sluice.explain(new ServletCall(request, any -> false)).stream()
                .map(Explanation::endpoint)
                .distinct()
                .toList();
    }

    private boolean missesAnswer(Endpoint endpoint, int status, boolean passed, boolean failed) {
        if (warned.contains(endpoint.id())) {
            return false;
        }
        return (!passed && isAskedTooLate(endpoint, status, failed))
                || (failed && expectsOtherStatus(endpoint, status));
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

    private void warn(Endpoint endpoint, int status) {
        if (!warned.add(endpoint.id())) {
            return;
        }
        if (sluice.phaseOf(endpoint) == Phase.AFTER_AUTHENTICATION) {
            LOG.warn(
                    "The limit {} has not counted an answer {} of Spring Security: it counts by who has been authenticated, so "
                            + "it is asked only behind Spring Security, which answered before that. Count by something that is "
                            + "known earlier, such as per: [ ip ] (said once)",
                    endpoint.id(),
                    status);
        } else {
            LOG.warn(
                    "The limit {} counts answers {}, and a login that failed was answered with {}. To count failed logins "
                            + "whatever their answer is, write count: {} outcome: login-failure {} (said once)",
                    endpoint.id(),
                    endpoint.countedStatuses().stream()
                            .sorted()
                            .map(String::valueOf)
                            .collect(Collectors.joining(", ")),
                    status,
                    "{",
                    "}");
        }
    }
}
