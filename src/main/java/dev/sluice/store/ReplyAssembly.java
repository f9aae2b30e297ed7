package dev.sluice.store;

import dev.sluice.Batch;
import dev.sluice.Batch.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Puts the texts that the script answered for each chunk together to the reply to the whole batch. For one thread. */
final class ReplyAssembly {

    private static final Batch.Grant NONE = new Batch.Grant(0, 0);

    private final Batch batch;
    private final List<Batch.Grant> grants;
    private long nowMillis;

    ReplyAssembly(Batch batch) {
        this.batch = batch;
        this.grants = new ArrayList<>(Collections.nCopies(batch.claims().size(), NONE));
    }

    /** Takes {@code clock sequence total granted total granted …}, with a third number of logs and buckets. */
    void add(Chunk chunk, String text) {
        Numbers numbers = new Numbers(text);
        nowMillis = Math.max(nowMillis, numbers.next());
        numbers.next();
        for (int place : chunk.places()) {
            grants.set(place, grant(batch.claims().get(place).rule(), numbers));
        }
        numbers.expectEnd();
    }

    /** Of a log the third number is the time of its oldest call; of a bucket it is what the arrival time has beyond whole milliseconds. */
    private static Batch.Grant grant(Rule rule, Numbers numbers) {
        long total = numbers.next();
        long granted = numbers.next();
        if (rule instanceof Rule.Flow flow) {
            return new Batch.Grant(total * flow.milli() + numbers.next(), granted);
        }
        return new Batch.Grant(total, granted, rule instanceof Rule.Logged ? numbers.next() : 0);
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
