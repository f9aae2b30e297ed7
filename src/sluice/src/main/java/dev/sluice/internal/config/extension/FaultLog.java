package dev.sluice.internal.config.extension;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Logs each kind of fault only once, because callers can repeat a faulty call endlessly. Thread-safe. */
public final class FaultLog {

    private static final int MOST_KINDS = 100;

    private final Logger log;
    private final Level level;
    private final Set<String> kinds = ConcurrentHashMap.newKeySet();

    public FaultLog(Logger log, Level level) {
        this.log = log;
        this.level = level;
    }

    /**
     * Logs a fault unless a fault of the same kind has already been logged.
     *
     * @param consequence a description of the failure and its effect on traffic
     */
    public void report(String consequence, Throwable fault) {
        if (kinds.size() < MOST_KINDS
                && kinds.add(consequence + fault.getClass().getName())) {
            log.atLevel(level)
                    .setCause(new LoggedFault(fault))
                    .log("{} Further faults of this kind are not logged.", consequence);
        }
    }
}
