package dev.sluice.internal.limiter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once for each endpoint that counts failed logins, if none of its calls reports how its login ended. One per
 * limiter. Thread-safe.
 */
final class UnreportedLogins {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");
    private static final int CALLS = 100;
    /** The count of an endpoint once any call has reported. */
    private static final int REPORTED = CALLS + 1;

    private final Map<String, AtomicInteger> unreported = new ConcurrentHashMap<>();

    /** A call to an endpoint was served; notes whether it reported how its login ended. */
    void ended(String endpoint, boolean isReported) {
        AtomicInteger calls = unreported.computeIfAbsent(endpoint, first -> new AtomicInteger());
        if (calls.get() >= CALLS) {
            return;
        }
        if (isReported) {
            calls.set(REPORTED);
        } else if (calls.incrementAndGet() == CALLS) {
            LOG.warn(
                    "The endpoint {} counts failed logins, but none of its first {} calls reported how its login "
                            + "ended. Either no login has failed yet, or nothing reports failed logins; then the "
                            + "endpoint limits nobody. In Spring Boot, Spring Security reports them; elsewhere call "
                            + "RateLimit.loginFailed(request) where a login fails (logged once)",
                    endpoint,
                    CALLS);
        }
    }
}
