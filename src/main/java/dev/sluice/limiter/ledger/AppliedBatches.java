package dev.sluice.limiter.ledger;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Use;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The batches that the store applied in the last seconds: a lagging replica may lose some of them. Not safe for several
 * threads.
 */
public final class AppliedBatches {

    private static final long KEPT_MILLIS = 10_000;
    private static final int MOST_CLAIMS = 100_000;

    private final Deque<Entry> entries = new ArrayDeque<>();
    private int claims;

    /**
     * A batch.
     *
     * @param sentMillis when it was sent, by the store's clock
     */
    public record Entry(Batch batch, long sentMillis) {}

    /** Adds an applied batch. Grants that waiting calls used at once count as reported. */
    public void add(Batch batch, Batch.Reply reply, long sentMillis) {
        List<Claim> reported = new ArrayList<>(batch.claims().size());
        for (int i = 0; i < batch.claims().size(); i++) {
            reported.add(withGranted(batch.claims().get(i), reply.grants().get(i)));
        }
        entries.addLast(new Entry(new Batch(batch.instance(), batch.sequence(), reported), sentMillis));
        claims += batch.claims().size();
        while (!entries.isEmpty()
                && (entries.getFirst().sentMillis < sentMillis - KEPT_MILLIS || claims > MOST_CLAIMS)) {
            claims -= entries.removeFirst().batch.claims().size();
        }
    }

    private static Claim withGranted(Claim claim, Grant grant) {
        long usedAtOnce = claim.needed().usedOf(grant.granted());
        if (usedAtOnce == 0) {
            return claim;
        }
        List<Use> uses = new ArrayList<>(claim.uses());
        uses.add(new Use(0, usedAtOnce));
        return claim.reportOnly(uses);
    }

    public List<Entry> entries() {
        return List.copyOf(entries);
    }
}
