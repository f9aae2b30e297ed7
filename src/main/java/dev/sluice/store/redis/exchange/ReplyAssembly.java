package dev.sluice.store.redis.exchange;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Assembles the reply to a batch from the script's answers for each chunk. Not safe for several threads. */
public final class ReplyAssembly {

    private static final Grant NONE = new Grant(0, 0, 0);

    private final Batch batch;
    private final AnsweredBatches answered;
    private final List<Grant> grants;
    /** What Redis knew of earlier batches, for each shard. */
    private final Map<Chunk, AnsweredBatches.KnownBatches> foundBefore = new LinkedHashMap<>();

    private long nowMillis;
    private long appliedMillis = Long.MAX_VALUE;

    public ReplyAssembly(Batch batch, AnsweredBatches answered) {
        this.batch = batch;
        this.answered = answered;
        this.grants = new ArrayList<>(Collections.nCopies(batch.claims().size(), NONE));
    }

    /**
     * Adds an answer: {@code clock found birth applied total granted elsewhere total granted elsewhere …}, with further
     * numbers for some rules.
     */
    public void add(Chunk chunk, String text) {
        Numbers numbers = new Numbers(text);
        long now = numbers.next();
        nowMillis = Math.max(nowMillis, now);
        AnsweredBatches.KnownBatches found = new AnsweredBatches.KnownBatches(numbers.next(), numbers.next(), now);
        appliedMillis = Math.min(appliedMillis, numbers.next());
        if (chunk.isFirst()) {
            foundBefore.put(chunk, found);
        }
        for (int position : chunk.positions()) {
            grants.set(position, grant(batch.claims().get(position).rule(), numbers));
        }
        numbers.expectEnd();
    }

    private static Grant grant(Rule rule, Numbers numbers) {
        long total = numbers.next();
        long granted = numbers.next();
        long elsewhere = numbers.next();
        if (rule instanceof Rule.Bucket flow) {
            // The arrival time's rest below whole milliseconds comes separately: Lua's numbers cannot hold the whole.
            return new Grant(total * flow.milli() + numbers.next(), granted, elsewhere);
        }
        if (rule instanceof Rule.Frame frame) {
            return new Grant(total, granted, elsewhere, numbers.next(frame.frames()));
        }
        return rule instanceof Rule.Log
                ? new Grant(total, granted, elsewhere, numbers.next(1))
                : new Grant(total, granted, elsewhere);
    }

    /** The reply, once all chunks are added. */
    public Batch.Reply reply() {
        List<Batch.Loss> losses = foundBefore.entrySet().stream()
                .map(found -> answered.loss(batch, found.getKey(), found.getValue()))
                .filter(Objects::nonNull)
                .toList();
        foundBefore.forEach((chunk, found) -> answered.add(batch, chunk, found));
        return new Batch.Reply(nowMillis, appliedMillis, grants, losses);
    }

    /** Parses integers separated by single blanks. */
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

        List<Long> next(int howMany) {
            List<Long> numbers = new ArrayList<>(howMany);
            for (int i = 0; i < howMany; i++) {
                numbers.add(next());
            }
            return numbers;
        }

        void expectEnd() {
            if (at != text.length()) {
                throw new IllegalStateException("Redis answered more than was asked");
            }
        }
    }
}
