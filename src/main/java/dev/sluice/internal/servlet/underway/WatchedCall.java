package dev.sluice.internal.servlet.underway;

import jakarta.servlet.AsyncContext;
import java.io.IOException;

/**
 * A call whose request and response are watched: if a read or a write fails, its caller may have gone, and the containers do
 * not always notice that. Safe for any thread.
 */
interface WatchedCall {

    /** Its asynchronous processing begins; returns the context for the code behind the filter. */
    AsyncContext begunAsync(AsyncContext async);

    /** Whether it was parked and its turn has come. */
    boolean isResumed();

    /** Whether it has become asynchronous. */
    boolean isAsync();

    /** A read has failed. The caller has gone, or sends no more, but still reads the answer. */
    void failedToRead();

    /** A write has failed: the caller has gone. The code behind the filter does not know yet. */
    void failedToWrite(IOException fault);

    /** A read or a write has succeeded. */
    void showsLife();
}
