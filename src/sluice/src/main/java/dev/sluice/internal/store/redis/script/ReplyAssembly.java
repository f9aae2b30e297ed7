package dev.sluice.internal.store.redis.script;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Fleet;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Assembles the reply to a batch from the script's replies to its chunks. Not thread-safe. */
public final class ReplyAssembly {

    private final Batch batch;
    private final AnsweredBatches answered;
    private final List<Grant> grants;
    /** What Redis had recorded about earlier batches, for each chunk. */
    private final Map<Chunk, AnsweredBatches.KnownBatches> foundBefore = new LinkedHashMap<>();

    private @Nullable Fleet fleet;
    private long nowMillis;
    /** How long ago the batch was applied, by the clocks of the servers that store the shards. */
    private long ageMillis;

    public ReplyAssembly(Batch batch, AnsweredBatches answered) {
        this.batch = batch;
        this.answered = answered;
        this.grants = new ArrayList<>(Collections.nCopies(batch.statements().size(), Grant.VOID));
    }

    /**
     * Adds the reply to a chunk: {@code clock instances rank recorded found birth applied total granted elsewhere …},
     * with additional numbers for some rules. If operators have given calls, the total has the form
     * {@code total+given}. If Redis no longer has the original reply, it sends
     * {@code clock instances rank recorded found birth applied ! index:used index:used …}, with only the grants that
     * counted as used immediately.
     */
    public void add(Chunk chunk, String text) {
        Iterator<String> numbers = List.of(text.split(" ")).iterator();
        long now = next(numbers);
        nowMillis = Math.max(nowMillis, now);
        int instances = Math.toIntExact(next(numbers));
        int rank = Math.toIntExact(next(numbers));
        fleet = instances > 0 ? new Fleet(instances, rank) : fleet;
        boolean isRecorded = next(numbers) > 0;
        AnsweredBatches.KnownBatches found =
                new AnsweredBatches.KnownBatches(next(numbers), next(numbers), now, isRecorded);
        ageMillis = Math.max(ageMillis, now - next(numbers));
        if (chunk.isFirst()) {
            foundBefore.put(chunk, found);
        }
        if (text.indexOf('!') > 0) {
            numbers.next();
            numbers.forEachRemaining(used -> addUsedAtOnce(chunk, used.split(":")));
            return;
        }
        for (int position : chunk.positions()) {
            grants.set(position, grant(batch.statements().get(position).rule(), numbers));
        }
        if (numbers.hasNext()) {
            throw new IllegalStateException("the Redis reply is longer than expected");
        }
    }

    private void addUsedAtOnce(Chunk chunk, String[] used) {
        int position = chunk.positions().get(Integer.parseInt(used[0]) - 1);
        grants.set(position, new Grant(0, Long.parseLong(used[1]), 0));
    }

    private static Grant grant(Rule rule, Iterator<String> numbers) {
        String text = nextText(numbers);
        int plus = text.indexOf('+');
        long total = Long.parseLong(plus < 0 ? text : text.substring(0, plus));
        long given = plus < 0 ? 0 : Long.parseLong(text.substring(plus + 1));
        long granted = next(numbers);
        long held = next(numbers);
        boolean mayComeBack = held < 0;
        long elsewhere = Math.max(0, held);
        if (rule instanceof Rule.Bucket flow) {
            // The fraction of a millisecond is a separate value, because a Lua number could not represent the sum
            // exactly.
            return new Grant(total * flow.milli() + next(numbers), granted, elsewhere, List.of(), mayComeBack, given);
        }
        if (rule instanceof Rule.Frame frame) {
            return new Grant(total, granted, elsewhere, next(frame.frames(), numbers), mayComeBack, given);
        }
        List<Long> details = rule instanceof Rule.Log ? List.of(next(numbers)) : List.of();
        return new Grant(total, granted, elsewhere, details, mayComeBack, given);
    }

    private static List<Long> next(int howMany, Iterator<String> numbers) {
        return IntStream.range(0, howMany).mapToObj(i -> next(numbers)).toList();
    }

    private static long next(Iterator<String> numbers) {
        return Long.parseLong(nextText(numbers));
    }

    private static String nextText(Iterator<String> numbers) {
        if (!numbers.hasNext()) {
            throw new IllegalStateException("the Redis reply is shorter than expected");
        }
        return numbers.next();
    }

    /** The reply to the batch. Call this method after adding all chunks. */
    public Batch.Reply reply() {
        List<Batch.Loss> losses = foundBefore.entrySet().stream()
                .map(found -> answered.loss(batch, found.getKey(), found.getValue()))
                .filter(Objects::nonNull)
                .toList();
        foundBefore.forEach((chunk, found) -> answered.add(batch, chunk, found));
        return new Batch.Reply(nowMillis, nowMillis - ageMillis, grants, losses, fleet);
    }
}
