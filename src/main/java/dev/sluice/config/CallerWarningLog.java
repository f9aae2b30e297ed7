package dev.sluice.config;

import dev.sluice.internal.match.caller.CallerWarnings;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/** Logs why callers may not be told apart, and what becomes of them. Safe for any threads. */
final class CallerWarningLog implements CallerWarnings {

    private final Logger log;
    private final String file;
    private final AtomicBoolean forwardingIsLogged = new AtomicBoolean();

    CallerWarningLog(Logger log, String file) {
        this.log = log;
        this.file = file;
    }

    @Override
    public void silentSource(String source, int calls, boolean authenticated) {
        log.warn(
                "The source {} of {} has yielded nothing for any of the first {} calls that it was asked for: {}. Such "
                        + "callers are counted by the next source of their subject, and as one where there is none (said once)",
                source,
                file,
                calls,
                why(source, authenticated));
    }

    @Override
    public void ignoredForwarding() {
        if (!forwardingIsLogged.get() && forwardingIsLogged.compareAndSet(false, true)) {
            log.warn(
                    "A call came with X-Forwarded-For or Forwarded, and {} trusts no proxy: callers' addresses are those that "
                            + "the server gives. Unless it reads these headers itself, all callers behind one proxy count as one. "
                            + "If proxies stand before this service, name them in trustedProxies (said once)",
                    file);
        }
    }

    private static String why(String source, boolean authenticated) {
        if (source.equals("session")) {
            return "no call came with a session that exists; a service without sessions has to count by something else";
        }
        String claim = source.startsWith("claim:") ? source.substring("claim:".length()) : null;
        if (claim != null && authenticated) {
            return "callers are authenticated, but by no token that Spring Security's resource server has verified and "
                    + "that has the claim " + claim;
        }
        return "no call was authenticated when the limits were asked. Perhaps nobody has logged in yet. Otherwise the filter "
                + "stands before what authenticates calls: put it behind that; Spring Security's order is -100";
    }
}
