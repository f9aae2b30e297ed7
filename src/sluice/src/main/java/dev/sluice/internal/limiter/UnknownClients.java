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
 * Warns once for each endpoint that has applied the general limits to a caller with limits of its own, because the
 * caller's client or plan was known only after authentication. One per limiter. Thread-safe.
 */
final class UnknownClients {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    /** Checks all of the first calls, then one in a hundred, because a resolver of the application may be slow. */
    private final SampledCalls sample = new SampledCalls(100);

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Checks a call after its authentication. Resolvers of the application may throw; that is reported elsewhere. */
    void check(CompiledEndpoints endpoints, Call authenticated) {
        if (!endpoints.clientsAreKnownLate() || !sample.includesNext()) {
            return;
        }
        try {
            endpoints.decidedTooEarly(authenticated).stream().map(Endpoint::id).forEach(this::warn);
        } catch (RuntimeException e) {
            LOG.debug("Could not check whether endpoints knew the client of a call; decisions are not affected", e);
        }
    }

    private void warn(String endpoint) {
        if (warned.add(endpoint)) {
            LOG.warn(
                    "The endpoint {} is asked in front of the authentication, so it does not know clients and plans by "
                            + "principal or claim. It has counted such a caller by the limits of everybody. If it "
                            + "should know them, write when: { principal: present }, or count per principal or claim; "
                            + "then it is asked behind, and does not count failed logins (logged once)",
                    endpoint);
        }
    }
}
