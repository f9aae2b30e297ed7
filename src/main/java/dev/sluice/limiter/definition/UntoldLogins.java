package dev.sluice.limiter.definition;

import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says, once for a definition that counts failed logins, that nobody tells it how logins end. For many threads. */
public final class UntoldLogins {

    private static final Logger LOG = LoggerFactory.getLogger(UntoldLogins.class);
    private static final int CALLS = 100;

    private final String endpoint;
    private final AtomicInteger untold = new AtomicInteger();
    private volatile boolean isTold;

    UntoldLogins(String endpoint) {
        this.endpoint = endpoint;
    }

    /** A call has been served; somebody has said how its login ended, or nobody has. */
    public void ended(boolean told) {
        if (isTold) {
            return;
        }
        if (told) {
            isTold = true;
        } else if (untold.incrementAndGet() == CALLS) {
            LOG.warn(
                    "The limit {} counts failed logins, and of none of its first {} calls it was told how the login ended. "
                            + "Perhaps none has failed yet. Otherwise it limits nobody: Spring Security tells it in Spring "
                            + "Boot; elsewhere call RateLimit.loginFailed(request) where a login fails (said once)",
                    endpoint,
                    CALLS);
        }
    }
}
