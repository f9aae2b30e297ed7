package dev.sluice.internal.servlet.inflight;

import jakarta.servlet.AsyncContext;
import java.io.IOException;

/**
 * A call whose request and response are watched. A failed read or write can mean that the caller has disconnected, and
 * containers do not always detect this. Thread-safe.
 */
interface WatchedCall {

    /** Records that asynchronous processing has started. Returns the context for the code behind the filter. */
    AsyncContext begunAsync(AsyncContext async);

    /** Whether the call was parked and its turn has come. */
    boolean isResumed();

    /** Whether the call has become asynchronous. */
    boolean isAsync();

    /**
     * Records a failed read. Either the caller has disconnected, or it has stopped sending but still reads the
     * response.
     */
    void failedToRead();

    /**
     * Records a write that failed because the caller has disconnected. The code behind the filter has not detected this
     * yet.
     */
    void failedToWrite(IOException fault);

    /** Records a successful read or write. */
    void showsLife();
}
