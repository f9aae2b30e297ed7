package dev.sluice.servlet;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what goes wrong inside the limiter: each kind once, since one bad call can be repeated without end. */
final class Faults {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFilter.class);

    private static final int DEEPEST_CAUSE = 5;

    private final Set<String> kinds = ConcurrentHashMap.newKeySet();

    /**
     * Logs a fault, unless its kind is known.
     *
     * @param consequence what happened and what it means for traffic
     */
    void report(String consequence, Throwable fault) {
        if (kinds.add(consequence + fault.getClass().getName())) {
            LOG.error("{} Further faults of this kind are not logged.", consequence, new LoggedFault(fault, 0));
        }
    }

    /** Stands for a fault in the log: where it arose, and its message with everything escaped that could forge a line. */
    private static final class LoggedFault extends Exception {

        private static final long serialVersionUID = 1L;

        LoggedFault(Throwable fault, int depth) {
            super(
                    fault.getClass().getName() + ": " + escape(String.valueOf(fault.getMessage())),
                    fault.getCause() == null || depth == DEEPEST_CAUSE
                            ? null
                            : new LoggedFault(fault.getCause(), depth + 1));
            setStackTrace(fault.getStackTrace());
        }

        private static String escape(String message) {
            StringBuilder escaped = new StringBuilder();
            for (int i = 0; i < Math.min(message.length(), 300); i++) {
                char c = message.charAt(i);
                if (c >= ' ' && c <= '~') {
                    escaped.append(c);
                } else {
                    escaped.append(String.format("\\u%04x", (int) c));
                }
            }
            return escaped.toString();
        }
    }
}
