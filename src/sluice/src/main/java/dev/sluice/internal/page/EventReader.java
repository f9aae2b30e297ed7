package dev.sluice.internal.page;

import java.io.IOException;

/** A server's connection to one event reader. */
public interface EventReader {

    /** The stream, as seen by the reader. Thread-safe. */
    interface Feed {

        /** Called when the reader can accept an event. */
        void write();

        /** Called when the reader has disconnected. */
        void end();
    }

    /** Begins the response. From now on, the reader notifies the feed whenever it can accept an event. */
    void begin(Feed feed) throws IOException;

    /**
     * Accepts an event, unless the previous event is still being sent. Called under the stream's lock.
     *
     * @return whether the event was accepted
     */
    boolean take(byte[] event) throws IOException;

    /** Ends the response. Called once, after {@link #begin}, and without a lock. */
    void end();
}
