package dev.sluice.internal.config.extension;

import dev.sluice.internal.config.yaml.Quote;

/**
 * The loggable form of a fault. It includes the stack trace and an escaped message. The message is escaped because an
 * application's exception can quote a caller's input, and unescaped input could forge a log line.
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

    /**
     * Returns the message of a fault, or a substitute if the fault's {@code getMessage} method itself throws an
     * exception.
     */
    private static String messageOf(Throwable fault) {
        try {
            return String.valueOf(fault.getMessage());
        } catch (RuntimeException e) {
            return "no message, because getMessage threw " + e.getClass().getName();
        }
    }
}
