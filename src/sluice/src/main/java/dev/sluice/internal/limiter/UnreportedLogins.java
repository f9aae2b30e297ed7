package dev.sluice.internal.limiter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns about endpoints that count failed logins although none of their calls reports the result of a login. The
 * warning is logged once for each endpoint. Each limiter has its own object. Thread-safe.
 */
final class UnreportedLogins {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");
    private static final int CALLS = 100;
    /** The value that marks an endpoint with at least one call that reported or announced a login. */
    private static final int REPORTED = CALLS + 1;

    private final Map<String, AtomicInteger> unreported = new ConcurrentHashMap<>();

    /** Counts a served call to an endpoint, and records whether it reported the result of its login. */
    void ended(String endpoint, boolean isReported) {
        if (isSilent(endpoint, isReported)) {
            LOG.warn(
                    "The endpoint {} counts failed logins, but none of its first {} calls reported the result of "
                            + "a login. Either no login has failed yet, or failed logins are not reported and the "
                            + "endpoint limits no calls. In Spring Boot, Spring Security reports them. Elsewhere, call "
                            + "RateLimit.loginFailed(request) where a login fails (logged once)",
                    endpoint,
                    CALLS);
        }
    }

    /** Counts a served call to an endpoint that counts per login, and records whether it announced a login attempt. */
    void endedPerLogin(String endpoint, boolean isAnnounced) {
        if (isSilent(endpoint, isAnnounced)) {
            LOG.warn(
                    "The endpoint {} counts failed logins by the attempted name, but none of its first {} calls "
                            + "announced a login. Either no login was attempted there, or logins are not announced "
                            + "and the endpoint limits no calls. In Spring Boot, Spring Security's "
                            + "authentication managers announce them. Elsewhere, count per: [ ip ] (logged once)",
                    endpoint,
                    CALLS);
        }
    }

    /**
     * Counts a call. Returns whether this is the hundredth call and no call has reported or announced a login so far.
     */
    private boolean isSilent(String endpoint, boolean isReported) {
        AtomicInteger calls = unreported.computeIfAbsent(endpoint, first -> new AtomicInteger());
        if (calls.get() >= CALLS) {
            return false;
        }
        if (isReported) {
            calls.set(REPORTED);
            return false;
        }
        return calls.incrementAndGet() == CALLS;
    }
}
