package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The known part of the response to a call in flight. It provides the status that is reported when the call ends.
 * Because the container can recycle the response at any moment, this class stores the status as soon as it has been
 * sent. It also stores the status to report if the container abandons the call. Thread-safe.
 */
final class AnswerSoFar {

    /** The reason why the response might be missing or incomplete. */
    private record Fault(Throwable thrown, boolean callerIsGone) {}

    private volatile @Nullable HttpServletResponse response;
    /** The status that was sent to the caller; {@code null} if it is not known yet. */
    private volatile @Nullable AnswerStatus sent;

    private volatile @Nullable Fault fault;
    /** The status at the time when the end of the call last became due. */
    private volatile int statusWhenDue;
    /** The status to report if no further read or write succeeds; {@code null} if no read has failed. */
    private volatile @Nullable Integer statusAfterFailedRead;

    /** Sets the response object that the application uses from now on. */
    void goesTo(HttpServletResponse response) {
        this.response = response;
    }

    /** Sets the response status, regardless of the response object. */
    void is(int status) {
        sent = new AnswerStatus(status, true);
    }

    /** Returns the status that has been sent, or the current status if none has been sent. */
    AnswerStatus look() {
        AnswerStatus known = sent;
        if (known != null) {
            return known;
        }
        AnswerStatus now = AnswerStatus.of(response);
        if (now.isSent()) {
            sent = now;
        }
        return now;
    }

    /** Records an exception from the filter chain. */
    void thrown(Throwable thrown) {
        fault = new Fault(thrown, callerIsGone());
    }

    /**
     * Records a failure in the container or in a write. An {@link IOException} means that the caller has disconnected.
     */
    void failed(Throwable by) {
        fault = new Fault(by, by instanceof IOException);
    }

    /** Whether the caller has disconnected, possibly before the application responded. */
    boolean callerIsGone() {
        Fault known = fault;
        return known != null && known.callerIsGone;
    }

    /** Returns the status to report if the call ends now. */
    int status() {
        AnswerStatus answer = look();
        Fault known = fault;
        if (known == null) {
            return answer.status();
        }
        return known.callerIsGone ? answer.withoutCaller() : answer.after(known.thrown);
    }

    /** Records that the end of the call has become due. */
    void fallsDue() {
        statusWhenDue = status();
    }

    int statusWhenDue() {
        return statusWhenDue;
    }

    /** Records a failed read. Further failures are ignored until a read or write succeeds. */
    void failedToRead() {
        if (statusAfterFailedRead == null) {
            statusAfterFailedRead = look().withoutCaller();
        }
    }

    boolean hasFailedToRead() {
        return statusAfterFailedRead != null;
    }

    /** Records a successful read or write. */
    void continues() {
        AnswerStatus now = look();
        if (statusAfterFailedRead != null) {
            statusAfterFailedRead = now.withoutCaller();
        }
    }

    /** Returns the status to report if the container has dropped the call although its end was not due. */
    int statusIfDropped() {
        Integer known = statusAfterFailedRead;
        if (known != null) {
            return known;
        }
        AnswerStatus last = sent;
        return last == null ? AnswerStatus.UNKNOWN.withoutCaller() : last.withoutCaller();
    }
}
