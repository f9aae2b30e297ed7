package dev.sluice.servlet.underway;

import dev.sluice.Ticket;
import jakarta.servlet.ServletException;
import jakarta.servlet.UnavailableException;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** The status that a call is answered with, as far as a filter can tell. */
final class AnswerStatus {

    private AnswerStatus() {}

    /**
     * The status.
     *
     * @param thrown what came out of the application, if anything did: then the container answers with an error, unless
     *     the answer had begun before
     */
    static int of(@Nullable HttpServletResponse response, @Nullable Throwable thrown) {
        int status = HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
        boolean committed = false;
        try {
            if (response != null) {
                status = response.getStatus();
                committed = response.isCommitted();
            }
        } catch (RuntimeException e) {
            return status; // the container has taken the response away already
        }
        return thrown == null || committed ? status : ofFault(thrown);
    }

    /**
     * The status of a call whose caller has gone, if the answer had begun, otherwise {@link Ticket#UNANSWERED}: what it
     * would have been nobody knows. Jetty says 500 of such a call.
     */
    static int ofBegun(@Nullable HttpServletResponse response) {
        try {
            if (response == null || !response.isCommitted()) {
                return Ticket.UNANSWERED;
            }
            int status = response.getStatus();
            return status < HttpServletResponse.SC_INTERNAL_SERVER_ERROR ? status : Ticket.UNANSWERED;
        } catch (RuntimeException e) {
            return Ticket.UNANSWERED; // the container has taken the response away already
        }
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
