package dev.sluice.internal.page.content;

import java.io.IOException;

/** A reader of events, behind a connection of some server. */
public interface EventReader {

    /** What a reader tells the stream that feeds it. */
    interface Feed {

        /** It can take an event. */
        void write();

        /** It has gone. */
        void end();
    }

    /** Begins the answer. From now on the reader tells this feed whenever it can take an event. */
    void begin(Feed feed) throws IOException;

    /**
     * Takes an event, unless the one before is still on its way. Called under the stream's lock.
     *
     * @return whether it has taken the event
     */
    boolean take(byte[] event) throws IOException;

    /** Ends the answer, after it has begun. Called once, without a lock. */
    void end();
}
