package dev.sluice.internal.limiter;

import dev.sluice.Call;
import dev.sluice.Endpoint;
import dev.sluice.internal.limiter.endpoint.CompiledEndpoints;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once for each endpoint that has counted a caller by the limits of everybody, because only the authentication
 * behind it knew which client or plan the caller has. One per limiter. Thread-safe.
 */
final class UnknownClients {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sluice.limiter");

    /** How many calls are all checked; later only some are, because a resolver of the application may be slow. */
    private static final int ALL_OF_FIRST = 1_000;

    private static final int ONE_OF_LATER = 100;

    private final AtomicLong calls = new AtomicLong();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    /** Checks a call after its authentication. Resolvers of the application may throw; that is reported elsewhere. */
    void check(CompiledEndpoints endpoints, Call authenticated) {
        if (!endpoints.clientsAreKnownLate()) {
            return;
        }
        long call = calls.incrementAndGet();
        if (call > ALL_OF_FIRST && call % ONE_OF_LATER != 0) {
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
                            + "should know them, write when: {} principal: present {}, or count per principal or claim; "
                            + "then it is asked behind, and does not count failed logins (logged once)",
                    endpoint,
                    "{",
                    "}");
        }
    }
}
