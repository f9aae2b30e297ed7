package dev.sluice.servlet.underway;

import dev.sluice.Ticket;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * How a call is answered, as far as a filter can tell: read of the response once, since the container may take that away
 * at any moment.
 *
 * @param status what the response says now
 * @param begun whether the caller has been sent the status already
 */
record AnswerStatus(int status, boolean begun) {

    private static final AnswerStatus UNKNOWN = new AnswerStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, false);

    /** What the response says; of one that is not there any more, that the call has failed. */
    static AnswerStatus of(@Nullable HttpServletResponse response) {
        try {
            return response == null ? UNKNOWN : new AnswerStatus(response.getStatus(), response.isCommitted());
        } catch (RuntimeException e) {
            return UNKNOWN; // the container has taken the response away already
        }
    }

    /**
     * The status in the end.
     *
     * @param thrown what came out of the application, if anything did: then the container answers with an error, unless
     *     the answer had begun before
     */
    int after(@Nullable Throwable thrown) {
        return thrown == null || begun ? status : ofFault(thrown);
    }

    /**
     * The status of a call whose caller has gone, if the answer had begun, otherwise {@link Ticket#UNANSWERED}: what it
     * would have been nobody knows. Jetty says 500 of such a call.
     */
    int withoutCaller() {
        return begun && status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR ? status : Ticket.UNANSWERED;
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
