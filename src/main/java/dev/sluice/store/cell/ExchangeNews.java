package dev.sluice.store.cell;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.CounterStore.News;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one exchange means for other instances, noted claim by claim. For one thread. */
public final class ExchangeNews {

    private final Map<News.Kind, Set<String>> keys = new EnumMap<>(News.Kind.class);

    /** Notes what a claim means that was applied to this cell just now. */
    public void note(Claim claim, Grant grant, Cell cell, long nowMillis) {
        if (cell.isFreed()) {
            note(News.Kind.FREED, claim.key());
        }
        boolean isShort = grant.granted() < claim.needed().all() || (cell.isOverdrawn() && !isOver(claim, nowMillis));
        if (isShort && grant.elsewhere() > 0) {
            note(News.Kind.RECALLED, claim.key());
            claim.framesBefore().forEach(key -> note(News.Kind.RECALLED, key));
        } else if (isUsedUp(claim, grant)) {
            note(News.Kind.USED_UP, claim.key());
        }
    }

    private void note(News.Kind kind, CounterKey key) {
        keys.computeIfAbsent(kind, any -> new HashSet<>()).add(key.text());
    }

    private static boolean isOver(Claim claim, long nowMillis) {
        return claim.rule() instanceof Rule.Frame && nowMillis >= claim.key().end();
    }

    /** Whether a claim has found, or made, a window used up of which nobody holds anything. */
    private static boolean isUsedUp(Claim claim, Grant grant) {
        long held = claim.held() + grant.granted() - claim.needed().usedOf(grant.granted());
        return claim.needed().all() + claim.wanted() > 0
                && held + grant.elsewhere() == 0
                && claim.rule() instanceof Rule.Total total
                && grant.total() >= total.cap();
    }

    /** All of it, one of each kind at most; empty if it means nothing. */
    public List<News> all() {
        return keys.entrySet().stream()
                .map(kind -> new News(kind.getKey(), kind.getValue()))
                .toList();
    }
}
