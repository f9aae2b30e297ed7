package dev.sluice.page.content;

import java.io.IOException;

/** A reader of events, behind a connection of some server. */
public interface EventReader {

    /** Begins the answer. From now on the reader calls {@link EventStream#write} whenever it can take an event. */
    void begin(EventStream stream) throws IOException;

    /**
     * Takes an event, unless the one before is still on its way. Called under the stream's lock.
     *
     * @return whether it has taken the event
     */
    boolean take(byte[] event) throws IOException;

    /** Ends the answer, after it has begun. Called once, without a lock. */
    void end();
}
