package dev.sluice.cli.rehearse.call;

import java.util.function.Consumer;

/** Calls one after the other, as bytes. Not thread-safe: one thread fills it, and then another reads it. */
public final class CallBatch {

    private final byte[] bytes;
    private int end;

    public CallBatch(int capacity) {
        bytes = new byte[capacity];
    }

    /** In bytes. */
    public int capacity() {
        return bytes.length;
    }

    /** Adds the call; returns whether there was room for it. */
    public boolean add(LoggedCall call) {
        if (end + call.length() > bytes.length) {
            return false;
        }
        call.copyTo(bytes, end);
        end += call.length();
        return true;
    }

    /** Moves the view to each call, and passes it to the consumer. */
    public void forEach(LoggedCall view, Consumer<LoggedCall> use) {
        for (int at = 0; at < end; at += view.length()) {
            view.moveTo(bytes, at);
            use.accept(view);
        }
    }

    public void clear() {
        end = 0;
    }
}
