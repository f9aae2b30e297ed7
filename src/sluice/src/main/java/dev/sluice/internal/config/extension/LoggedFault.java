package dev.sluice.internal.config.extension;

import dev.sluice.internal.config.yaml.Quote;

/**
 * A fault as the log shows it: with its stack trace, and with its message escaped so that it cannot forge a log line.
 * The message of an application's exception may contain what a caller sent.
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

    /** An application's exception may throw even in {@code getMessage}. */
    private static String messageOf(Throwable fault) {
        try {
            return String.valueOf(fault.getMessage());
        } catch (RuntimeException e) {
            return "no message, since getMessage threw " + e.getClass().getName();
        }
    }
}
