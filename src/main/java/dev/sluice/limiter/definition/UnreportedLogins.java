package dev.sluice.limiter.definition;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once, for an endpoint that counts failed logins, if no call reports how its login ended. For many threads. */
public final class UnreportedLogins {

    private static final Logger LOG = LoggerFactory.getLogger(UnreportedLogins.class);
    private static final int CALLS = 100;

    private final String endpoint;
    private final AtomicInteger unreported = new AtomicInteger();
    private volatile boolean isAnyReported;

    UnreportedLogins(String endpoint) {
        this.endpoint = endpoint;
    }

    /** A call has been served, and has reported how its login ended or not. */
    public void ended(boolean isReported) {
        if (isAnyReported) {
            return;
        }
        if (isReported) {
            isAnyReported = true;
        } else if (unreported.incrementAndGet() == CALLS) {
            LOG.warn(
                    "The limit {} counts failed logins, but none of its first {} calls reported how its login ended. "
                            + "Perhaps none has failed yet. If nothing reports failed logins, it limits nobody: in Spring "
                            + "Boot, Spring Security reports them; elsewhere call RateLimit.loginFailed(request) where a "
                            + "login fails (this is said once)",
                    endpoint,
                    CALLS);
        }
    }
}
