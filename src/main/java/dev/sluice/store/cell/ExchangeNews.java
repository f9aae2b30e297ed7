package dev.sluice.store.cell;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch.Grant;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.exchange.Batch.Statement;
import dev.sluice.exchange.CounterStore.News;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects what one exchange means for other instances, statement by statement. Not safe for several threads. */
public final class ExchangeNews {

    private final Map<News.Kind, Set<String>> keys = new EnumMap<>(News.Kind.class);

    /** Adds what a statement means that was just applied to this cell. */
    public void add(Statement statement, Grant grant, Cell cell, long nowMillis) {
        if (cell.isFreed()) {
            add(News.Kind.FREED, statement.key());
        }
        boolean isShort = grant.isShortOf(statement) || (cell.isOverdrawn() && !isOver(statement, nowMillis));
        if (isShort && grant.elsewhere() > 0) {
            add(News.Kind.RECALLED, statement.key());
            statement.framesBefore().forEach(key -> add(News.Kind.RECALLED, key));
        } else if (isUsedUp(statement, grant)) {
            add(News.Kind.USED_UP, statement.key());
        }
    }

    private void add(News.Kind kind, CounterKey key) {
        keys.computeIfAbsent(kind, any -> new HashSet<>()).add(key.text());
    }

    private static boolean isOver(Statement statement, long nowMillis) {
        return statement.rule() instanceof Rule.Frame
                && nowMillis >= statement.key().end();
    }

    /** Whether the window is used up after the statement, and no instance holds permits of it. */
    private static boolean isUsedUp(Statement statement, Grant grant) {
        long held = statement.held() + grant.granted() - statement.needed().usedOf(grant.granted());
        return statement.needed().all() + statement.wanted() > 0
                && held + grant.elsewhere() == 0
                && statement.rule() instanceof Rule.Total total
                && grant.total() >= total.cap();
    }

    /** The news, at most one of each kind; empty if there is none. */
    public List<News> all() {
        return keys.entrySet().stream()
                .map(kind -> new News(kind.getKey(), kind.getValue()))
                .toList();
    }
}
