package dev.sluice.internal.servlet.inflight;

import dev.sluice.Ticket;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * The status of the answer to a call, as far as a filter can know it. It is read from the response only once, because
 * the container may recycle the response at any moment.
 *
 * @param status the status of the response now
 * @param isSent whether the status has already been sent
 */
record AnswerStatus(int status, boolean isSent) {

    /** The status of a response that cannot be read. */
    static final AnswerStatus UNKNOWN = new AnswerStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, false);

    /** The status of a response; 500 if the container has already recycled it. */
    static AnswerStatus of(@Nullable HttpServletResponse response) {
        try {
            return response == null ? UNKNOWN : new AnswerStatus(response.getStatus(), response.isCommitted());
        } catch (RuntimeException e) {
            return UNKNOWN; // the container has already recycled the response
        }
    }

    /** The final status after an exception: the container answers with an error unless the answer has already begun. */
    int after(Throwable thrown) {
        return isSent ? status : ofFault(thrown);
    }

    /**
     * The status if the caller has disconnected: the status of the answer if that had begun, otherwise
     * {@link Ticket#UNANSWERED}. A 5xx status is not taken for an answer, because Jetty reports 500 for such a call.
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
