package dev.sluice.servlet;

import dev.sluice.config.LoggedFault;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what goes wrong inside the limiter: each kind once, since one bad call can be repeated without end. */
final class Faults {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFilter.class);

    private final Set<String> kinds = ConcurrentHashMap.newKeySet();

    /**
     * Logs a fault, unless its kind is known.
     *
     * @param consequence what happened and what it means for traffic
     */
    void report(String consequence, Throwable fault) {
        if (kinds.add(consequence + fault.getClass().getName())) {
            LOG.error("{} Further faults of this kind are not logged.", consequence, new LoggedFault(fault));
        }
    }
}
