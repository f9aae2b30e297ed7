package dev.sluice;

import java.util.List;

/**
 * What one instance asks of the store in one exchange. A batch whose reply was lost is sent again as it was, and the store
 * then answers as it did the first time: instance and sequence name it for ever.
 *
 * @param instance the sender, unique among all running instances
 * @param sequence counts the sender's batches upwards; only one is in flight at a time
 * @param claims at most one for each counter
 */
public record Batch(String instance, long sequence, List<Claim> claims) {

    public Batch {
        claims = List.copyOf(claims);
    }

    /**
     * What is asked for one counter. The store adds {@code spent} to its total, then grants as much of {@code wanted} as
     * fits under the cap, if that is at least {@code atLeast}, and adds that too.
     *
     * @param key the counter
     * @param spent calls admitted beyond the share held, added whatever the cap says; negative to return the rest of a share
     * @param wanted calls expected until the next exchange, to be granted ahead
     * @param atLeast a smaller grant than this is of no use, and none is made
     * @param cap what the total shall not pass by a grant
     */
    public record Claim(CounterKey key, long spent, long wanted, long atLeast, long cap) {}

    /**
     * The store's answer to a batch.
     *
     * @param nowMillis the store's clock, in milliseconds since 1970
     * @param grants one for each claim, in the same order
     */
    public record Reply(long nowMillis, List<Grant> grants) {

        public Reply {
            grants = List.copyOf(grants);
        }
    }

    /**
     * The store's answer to one claim.
     *
     * @param total all that is now spent or granted on the counter, over all instances
     * @param granted how much of it was granted to this claim
     */
    public record Grant(long total, long granted) {}
}
