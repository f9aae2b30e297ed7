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

/** What a store that has lost counts is told again of counters that have no account any more. For one thread. */
final class OrphanClaims {

    private final Map<CounterKey, Claim> claims = new LinkedHashMap<>();

    void add(Claim claim) {
        claims.merge(claim.key(), claim, OrphanClaims::joined);
    }

    /** Takes out what is to be told of that counter, which has an account from now on; {@code null} if nothing is. */
    @Nullable Claim remove(CounterKey key) {
        return claims.remove(key);
    }

    boolean isEmpty() {
        return claims.isEmpty();
    }

    /** Moves claims to a batch, until that has so many. */
    void moveTo(List<Claim> batch, int most) {
        Iterator<Claim> untold = claims.values().iterator();
        while (untold.hasNext() && batch.size() < most) {
            batch.add(untold.next());
            untold.remove();
        }
    }

    /** What a claim told that was sent so long ago. */
    static Claim aged(Claim claim, long ageMillis) {
        return claim.telling(claim.toldLater(ageMillis).uses());
    }

    private static Claim joined(Claim one, Claim other) {
        List<Use> uses = new ArrayList<>(one.uses());
        uses.addAll(other.uses());
        return one.telling(uses);
    }
}
