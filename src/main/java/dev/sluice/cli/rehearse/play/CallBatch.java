package dev.sluice.cli.rehearse.play;

import dev.sluice.cli.rehearse.call.LoggedCall;
import java.util.function.Consumer;

/** Some calls one after the other, as bytes, for another thread. One thread fills it, and then another reads it. */
final class CallBatch {

    private static final int SIZE = 1 << 18;

    private final LoggedCall kind;
    private final byte[] bytes;
    private int end;

    /** One that holds this call at least. */
    CallBatch(LoggedCall least) {
        kind = least;
        bytes = new byte[Math.max(SIZE, least.length())];
    }

    /** Takes the call in; whether there was room for it. */
    boolean add(LoggedCall call) {
        if (end + call.length() > bytes.length) {
            return false;
        }
        call.copyTo(bytes, end);
        end += call.length();
        return true;
    }

    /** Shows all its calls, each until the next. */
    void forEach(Consumer<LoggedCall> use) {
        LoggedCall view = kind.newView();
        for (int at = 0; at < end; at += view.length()) {
            view.moveTo(bytes, at);
            use.accept(view);
        }
    }
}
