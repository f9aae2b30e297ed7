package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoints;
import dev.sluice.internal.match.caller.SampledCalls;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns about endpoints that decide before authentication and therefore ignore a caller's individual limits. The
 * caller's client or plan becomes known only after authentication, so such endpoints apply the general limits. The
 * warning is logged once for each endpoint. Each limiter has its own object. Thread-safe.
 */
final class UnknownClients {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    /**
     * The sample of calls to check. It contains the first calls, and then one call in a hundred. Not every call is
     * checked, because the application's resolvers can be slow.
     */
    private final SampledCalls sample = new SampledCalls(100);

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /**
     * Checks a call after it has been authenticated. Exceptions from the application's resolvers are reported
     * elsewhere.
     */
    void check(CompiledEndpoints endpoints, Call authenticated) {
        if (!endpoints.clientsAreKnownLate() || !sample.includesNext()) {
            return;
        }
        try {
            endpoints.decidedTooEarly(authenticated).stream().map(Endpoint::id).forEach(this::warn);
        } catch (RuntimeException e) {
            LOG.debug("Could not check whether endpoints recognised a call's client. Decisions are not affected", e);
        }
    }

    private void warn(String endpoint) {
        if (warned.add(endpoint)) {
            LOG.warn(
                    "The endpoint {} is checked before authentication, so it cannot identify clients and plans by "
                            + "principal or claim. It has applied the general limits to such a caller. To apply "
                            + "individual limits, write when: { principal: present }, or count per principal or "
                            + "claim. The endpoint is then checked after authentication, and does not count failed "
                            + "logins (logged once)",
                    endpoint);
        }
    }
}
