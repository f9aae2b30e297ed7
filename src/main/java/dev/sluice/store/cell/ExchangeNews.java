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

/** Collects what one exchange means for other instances, claim by claim. Not safe for several threads. */
public final class ExchangeNews {

    private final Map<News.Kind, Set<String>> keys = new EnumMap<>(News.Kind.class);

    /** Adds what a claim means that was just applied to this cell. */
    public void add(Claim claim, Grant grant, Cell cell, long nowMillis) {
        if (cell.isFreed()) {
            add(News.Kind.FREED, claim.key());
        }
        boolean isShort = grant.isShortOf(claim) || (cell.isOverdrawn() && !isOver(claim, nowMillis));
        if (isShort && grant.elsewhere() > 0) {
            add(News.Kind.RECALLED, claim.key());
            claim.framesBefore().forEach(key -> add(News.Kind.RECALLED, key));
        } else if (isUsedUp(claim, grant)) {
            add(News.Kind.USED_UP, claim.key());
        }
    }

    private void add(News.Kind kind, CounterKey key) {
        keys.computeIfAbsent(kind, any -> new HashSet<>()).add(key.text());
    }

    private static boolean isOver(Claim claim, long nowMillis) {
        return claim.rule() instanceof Rule.Frame && nowMillis >= claim.key().end();
    }

    /** Whether the claim found, or made, a window used up of which nothing is held. */
    private static boolean isUsedUp(Claim claim, Grant grant) {
        long held = claim.held() + grant.granted() - claim.needed().usedOf(grant.granted());
        return claim.needed().all() + claim.wanted() > 0
                && held + grant.elsewhere() == 0
                && claim.rule() instanceof Rule.Total total
                && grant.total() >= total.cap();
    }

    /** The news, at most one of each kind; empty if there is none. */
    public List<News> all() {
        return keys.entrySet().stream()
                .map(kind -> new News(kind.getKey(), kind.getValue()))
                .toList();
    }
}
