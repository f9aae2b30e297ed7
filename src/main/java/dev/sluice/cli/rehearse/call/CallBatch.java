package dev.sluice.cli.rehearse.call;

import java.util.function.Consumer;

/** Some calls one after the other, as bytes. One thread fills it, and then one reads it. */
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

    /** Takes the call in; whether there was room for it. */
    public boolean add(LoggedCall call) {
        if (end + call.length() > bytes.length) {
            return false;
        }
        call.copyTo(bytes, end);
        end += call.length();
        return true;
    }

    /** Moves the view from call to call, and passes it on each time. */
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
