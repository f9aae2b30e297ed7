package dev.sluice.internal.config.fault;

import dev.sluice.internal.config.yaml.Quote;

/**
 * A fault as it is logged: its stack trace, and its message with everything escaped that could forge a log line. The
 * message of an application's exception may contain what a caller sent.
 */
final class LoggedFault extends Exception {

    private static final long serialVersionUID = 1L;

    private static final int DEEPEST_CAUSE = 5;

    LoggedFault(Throwable fault) {
        this(fault, 0);
    }

    private LoggedFault(Throwable fault, int depth) {
        super(
                fault.getClass().getName() + ": " + Quote.line(messageOf(fault)),
                fault.getCause() == null || depth == DEEPEST_CAUSE
                        ? null
                        : new LoggedFault(fault.getCause(), depth + 1));
        setStackTrace(fault.getStackTrace());
    }

    /** Even the message of an application's exception may throw. */
    private static String messageOf(Throwable fault) {
        try {
            return String.valueOf(fault.getMessage());
        } catch (RuntimeException e) {
            return "its message cannot be told, " + e.getClass().getName();
        }
    }
}
