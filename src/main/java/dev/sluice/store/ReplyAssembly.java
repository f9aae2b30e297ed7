package dev.sluice.store;

import dev.sluice.Batch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Puts the texts that the script answered for each chunk together to the reply to the whole batch. For one thread. */
final class ReplyAssembly {

    private static final Batch.Grant NONE = new Batch.Grant(0, 0);

    private final List<Batch.Grant> grants;
    private long nowMillis;

    ReplyAssembly(int claims) {
        grants = new ArrayList<>(Collections.nCopies(claims, NONE));
    }

    /** Takes {@code clock sequence total granted total granted …}. */
    void add(Chunk chunk, String text) {
        Numbers numbers = new Numbers(text);
        nowMillis = Math.max(nowMillis, numbers.next());
        numbers.next();
        for (int place : chunk.places()) {
            grants.set(place, new Batch.Grant(numbers.next(), numbers.next()));
        }
        numbers.expectEnd();
    }

    Batch.Reply reply() {
        return new Batch.Reply(nowMillis, grants);
    }

    /** Reads whole numbers parted by single blanks. */
    private static final class Numbers {
        private final String text;
        private int at;

        Numbers(String text) {
            this.text = text;
        }

        long next() {
            int blank = text.indexOf(' ', at);
            int end = blank < 0 ? text.length() : blank;
            long number = Long.parseLong(text, at, end, 10);
            at = Math.min(end + 1, text.length());
            return number;
        }

        void expectEnd() {
            if (at != text.length()) {
                throw new IllegalStateException("Redis answered more than was asked");
            }
        }
    }
}
