package dev.sluice.limiter.ledger;

import dev.sluice.exchange.CounterStore.News;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The limits that are used up, as news have said, though nobody has called them here yet: the first call need not ask. Keeps
 * the latest of them. Not thread-safe.
 */
final class UsedUpUnseen {

    private static final int MOST = 10_000;

    private final Set<KeyName> names = new LinkedHashSet<>();

    /** News of a counter that has no entry. */
    void heard(KeyName name, News.Kind kind) {
        names.remove(name);
        if (kind == News.Kind.USED_UP) {
            names.add(name);
            if (names.size() > MOST) {
                names.remove(names.iterator().next());
            }
        }
    }

    /** Whether a limit that is called for the first time is used up. */
    boolean remove(KeyName name) {
        return names.remove(name);
    }

    void clear() {
        names.clear();
    }
}
