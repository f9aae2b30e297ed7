package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the answer to a call in flight, and so which status its end reports. The container may recycle the
 * response at any moment. So a status that was sent is kept, and so is the one to report should the container say no
 * more. Thread-safe.
 */
final class AnswerSoFar {

    /** Why the answer may be missing or incomplete. */
    private record Fault(Throwable thrown, boolean callerIsGone) {}

    private volatile @Nullable HttpServletResponse response;
    /** The status that the caller got, once it is known. */
    private volatile @Nullable AnswerStatus sent;

    private volatile @Nullable Fault fault;
    /** The status when the end of the call last fell due. */
    private volatile int statusWhenDue;
    /** The status to report if nothing more is read or written; {@code null} if no read has failed. */
    private volatile @Nullable Integer statusAfterFailedRead;

    /** From now on, this is the response that is answered with. */
    void goesTo(HttpServletResponse response) {
        this.response = response;
    }

    /** The answer has this status, whatever the response says. */
    void is(int status) {
        sent = new AnswerStatus(status, true);
    }

    /** The answer now; the one that was sent, if any. */
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

    /** The chain has thrown this. */
    void thrown(Throwable thrown) {
        fault = new Fault(thrown, callerIsGone());
    }

    /** The container, or a write, has failed by this; an {@link IOException} means that the caller has disconnected. */
    void failed(Throwable by) {
        fault = new Fault(by, by instanceof IOException);
    }

    /** Whether the caller has disconnected, perhaps before the application answered. */
    boolean callerIsGone() {
        Fault known = fault;
        return known != null && known.callerIsGone;
    }

    /** The status to report if the call ends now. */
    int status() {
        AnswerStatus answer = look();
        Fault known = fault;
        if (known == null) {
            return answer.status();
        }
        return known.callerIsGone ? answer.withoutCaller() : answer.after(known.thrown);
    }

    /** The end of the call falls due now. */
    void fallsDue() {
        statusWhenDue = status();
    }

    int statusWhenDue() {
        return statusWhenDue;
    }

    /** A read has failed. Only the first time matters, until something is read or written. */
    void failedToRead() {
        if (statusAfterFailedRead == null) {
            statusAfterFailedRead = look().withoutCaller();
        }
    }

    boolean hasFailedToRead() {
        return statusAfterFailedRead != null;
    }

    /** Something was read or written. */
    void continues() {
        AnswerStatus now = look();
        if (statusAfterFailedRead != null) {
            statusAfterFailedRead = now.withoutCaller();
        }
    }

    /** The status to report if the container has dropped the call, and its end was not due. */
    int statusIfDropped() {
        Integer known = statusAfterFailedRead;
        if (known != null) {
            return known;
        }
        AnswerStatus last = sent;
        return last == null ? AnswerStatus.UNKNOWN.withoutCaller() : last.withoutCaller();
    }
}
