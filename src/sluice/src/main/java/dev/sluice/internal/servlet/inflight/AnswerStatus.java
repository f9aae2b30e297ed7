package dev.sluice.internal.servlet.inflight;

import dev.sluice.Ticket;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The response status of a call, as visible to a filter. It is read from the response only once, because the container
 * can recycle the response at any moment.
 *
 * @param status the current status of the response
 * @param isSent whether the status has already been sent
 */
record AnswerStatus(int status, boolean isSent) {

    /** The status of a response that cannot be read. */
    static final AnswerStatus UNKNOWN = new AnswerStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, false);

    /** Returns the status of a response; 500 if the container has already recycled the response. */
    static AnswerStatus of(@Nullable HttpServletResponse response) {
        try {
            return response == null ? UNKNOWN : new AnswerStatus(response.getStatus(), response.isCommitted());
        } catch (RuntimeException e) {
            return UNKNOWN; // the container has already recycled the response
        }
    }

    /**
     * Returns the final status after an exception. The container responds with an error unless the response has already
     * begun.
     */
    int after(Throwable thrown) {
        return isSent ? status : ofFault(thrown);
    }

    /**
     * Returns the status to report if the caller has disconnected. It is the response status if the response had begun,
     * and {@link Ticket#UNANSWERED} otherwise. A 5xx status is also treated as unanswered, because Jetty reports 500
     * for such a call.
     */
    int withoutCaller() {
        return isSent && status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR ? status : Ticket.UNANSWERED;
    }

    private static int ofFault(Throwable thrown) {
        Throwable cause = thrown;
        while (cause instanceof ServletException && !(cause instanceof UnavailableException)) {
            Throwable root = ((ServletException) cause).getRootCause();
            if (root == null) {
                break;
            }
            cause = root;
        }
        if (cause instanceof UnavailableException unavailable) {
            return unavailable.isPermanent()
                    ? HttpServletResponse.SC_NOT_FOUND
                    : HttpServletResponse.SC_SERVICE_UNAVAILABLE;
        }
        return HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
    }
}
