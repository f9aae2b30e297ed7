package dev.sluice.limiter.ledger;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Use;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Claims for a store that lost counts, for counters without an account. Not safe for several threads. */
final class OrphanClaims {

    private final Map<CounterKey, Claim> claims = new LinkedHashMap<>();

    void add(Claim claim) {
        claims.merge(claim.key(), claim, OrphanClaims::joined);
    }

    /** Removes and returns the claim for a counter that now has an account; {@code null} if there is none. */
    @Nullable Claim remove(CounterKey key) {
        return claims.remove(key);
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    /** Moves claims to a batch, up to this many claims. */
    void moveTo(List<Claim> batch, int most) {
        Iterator<Claim> remaining = claims.values().iterator();
        while (remaining.hasNext() && batch.size() < most) {
            batch.add(remaining.next());
            remaining.remove();
        }
    }

    /** The report of a claim that was sent this long ago. */
    static Claim aged(Claim claim, long ageMillis) {
        return claim.reportOnly(claim.sentLater(ageMillis).uses());
    }

    private static Claim joined(Claim one, Claim other) {
        List<Use> uses = new ArrayList<>(one.uses());
        uses.addAll(other.uses());
        return one.reportOnly(uses);
    }
}
