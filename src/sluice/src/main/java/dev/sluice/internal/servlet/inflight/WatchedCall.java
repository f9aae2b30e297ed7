package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.AsyncContext;
import java.io.IOException;

/**
 * A call whose request and response are watched: a failed read or write may mean that its caller has disconnected, and
 * containers do not always notice. Thread-safe.
 */
interface WatchedCall {

    /** Asynchronous processing has started; returns the context for the code behind the filter. */
    AsyncContext begunAsync(AsyncContext async);

    /** Whether it was parked and its turn has come. */
    boolean isResumed();

    /** Whether it has become asynchronous. */
    boolean isAsync();

    /** A read has failed. Either the caller has disconnected, or it sends nothing more but still reads the answer. */
    void failedToRead();

    /** A write has failed because the caller has disconnected. The code behind the filter does not know that yet. */
    void failedToWrite(IOException fault);

    /** A read or a write has succeeded. */
    void showsLife();
}
