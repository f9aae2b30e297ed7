package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call in flight, as far as it is known. It yields the status that is reported when the call ends.
 * Because the container may recycle the response at any moment, this class keeps the status once it has been sent, and
 * also the status to report if the container never mentions the call again. Thread-safe.
 */
final class AnswerSoFar {

    /** The reason why the answer may be missing or incomplete. */
    private record Fault(Throwable thrown, boolean callerIsGone) {}

    private volatile @Nullable HttpServletResponse response;
    /** The status that the caller got, once it is known. */
    private volatile @Nullable AnswerStatus sent;

    private volatile @Nullable Fault fault;
    /** The status at the time when the end of the call last became due. */
    private volatile int statusWhenDue;
    /** The status to report if nothing more is read or written; {@code null} if no read has failed. */
    private volatile @Nullable Integer statusAfterFailedRead;

    /** From now on, the application answers through this response. */
    void goesTo(HttpServletResponse response) {
        this.response = response;
    }

    /** Sets the status of the answer, regardless of the response. */
    void is(int status) {
        sent = new AnswerStatus(status, true);
    }

    /** The current status of the answer; if one has been sent, that one. */
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

    /** The filter chain has thrown this. */
    void thrown(Throwable thrown) {
        fault = new Fault(thrown, callerIsGone());
    }

    /** The container or a write has failed with this. An {@link IOException} means that the caller has disconnected. */
    void failed(Throwable by) {
        fault = new Fault(by, by instanceof IOException);
    }

    /** Whether the caller has disconnected, possibly before the application answered. */
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

    /** The end of the call becomes due now. */
    void fallsDue() {
        statusWhenDue = status();
    }

    int statusWhenDue() {
        return statusWhenDue;
    }

    /** A read has failed. Further failures are ignored until something is read or written again. */
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
