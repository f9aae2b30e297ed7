package dev.sluice.open;

import dev.sluice.internal.match.caller.CallerWarnings;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/** Warns when many callers might share one counter, and explains why. Thread-safe. */
final class CallerWarningLog implements CallerWarnings {

    private final Logger log;
    private final String file;
    private final AtomicBoolean forwardingIsLogged = new AtomicBoolean();

    CallerWarningLog(Logger log, String file) {
        this.log = log;
        this.file = file;
    }

    @Override
    public void emptySource(String source, int calls, boolean authenticated) {
        log.warn(
                "The source {} of {} found no value in its first {} calls: {}. These callers are keyed by the next "
                        + "source of their subject; if there is none, they all share one counter. This is "
                        + "logged once.",
                source,
                file,
                calls,
                why(source, authenticated));
    }

    @Override
    public void ignoredForwarding() {
        if (!forwardingIsLogged.get() && forwardingIsLogged.compareAndSet(false, true)) {
            log.warn(
                    "A call has an X-Forwarded-For or Forwarded header, but {} trusts no proxy, so the header is "
                            + "ignored and the address comes from the server. If the server does not read these "
                            + "headers either, all callers behind a proxy count as one. If this service runs behind "
                            + "proxies, list them in trustedProxies. This is logged once.",
                    file);
        }
    }

    private static String why(String source, boolean authenticated) {
        if (source.equals("session")) {
            return "no call had a session. If the service does not use sessions, use a different subject in per";
        }
        String claim = source.startsWith("claim:") ? source.substring("claim:".length()) : null;
        if (claim != null && authenticated) {
            return "callers are authenticated, but Spring Security's resource server has verified no token with the "
                    + "claim " + claim;
        }
        return "no call was authenticated when it reached the filter. Either nobody has logged in yet, or the filter "
                + "runs before authentication: order it after that (the order of Spring Security is -100)";
    }
}
