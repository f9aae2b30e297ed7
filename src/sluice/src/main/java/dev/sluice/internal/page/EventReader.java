package dev.sluice.internal.page;

import java.io.IOException;

/** A server's connection to one reader of events. */
public interface EventReader {

    /** The stream that feeds a reader, as the reader sees it. Thread-safe. */
    interface Feed {

        /** Called when the reader can take an event. */
        void write();

        /** Called when the reader has disconnected. */
        void end();
    }

    /** Begins the answer. From now on, the reader tells this feed whenever it can take an event. */
    void begin(Feed feed) throws IOException;

    /**
     * Takes an event, unless the previous one is still being sent. Called under the stream's lock.
     *
     * @return whether the event was taken
     */
    boolean take(byte[] event) throws IOException;

    /** Ends an answer that has begun. Called once, without a lock. */
    void end();
}
