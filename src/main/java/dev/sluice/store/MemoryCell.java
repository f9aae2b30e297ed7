package dev.sluice.store;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.Batch.Rule;
import dev.sluice.Batch.Use;
import dev.sluice.algorithm.BusyPeriods;
import dev.sluice.algorithm.Gcra;
import dev.sluice.algorithm.Share;
import dev.sluice.algorithm.SlidingWindow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** One counter of the store in memory: what was used, and what instances hold. Guarded by the store's lock. */
abstract sealed class MemoryCell {

    /** When it goes away if nobody claims of it; rounded up by the store. */
    long expiresAtMillis;

    private final Map<String, Holding> holdings = new HashMap<>();
    private boolean spent;
    private boolean freed;

    /**
     * What one instance holds.
     *
     * @param permits unspent
     */
    private record Holding(long permits, long untilMillis) {}

    /** What is born by the first claim for a counter. */
    static MemoryCell of(Rule rule) {
        if (rule instanceof Rule.Flow flow) {
            return new Flow(new Gcra(flow.token(), flow.milli(), flow.depth(), flow.furthest()));
        }
        if (rule instanceof Rule.Logged) {
            return new Log();
        }
        if (rule instanceof Rule.Leased) {
            return new Places();
        }
        return new Total();
    }

    /**
     * Applies a claim of this instance.
     *
     * @param framesBefore the frames before this one, the newest first; empty of what is no frame
     */
    final Grant apply(String instance, Claim claim, List<Total> framesBefore, long nowMillis) {
        expiresAtMillis = Math.max(expiresAtMillis, Expiry.USUAL.of(claim, nowMillis));
        use(instance, claim, nowMillis);
        Holding before = holdings.remove(instance);
        long others = heldAt(nowMillis);
        long left = left(instance, claim, framesBefore, nowMillis) - others - claim.held();
        long forWaiting = claim.needed().granted(left);
        long ahead = forWaiting < claim.needed().all()
                ? 0
                : Share.ahead(claim.wanted(), left - forWaiting, holdings.size() + 1);
        long granted = forWaiting + ahead;
        long usedAtOnce = claim.needed().usedOf(forWaiting);
        long held = claim.held() + granted - usedAtOnce;
        useNow(instance, claim, usedAtOnce, nowMillis);
        if (held > 0) {
            holdings.put(instance, new Holding(held, nowMillis + claim.leaseMillis()));
            expiresAtMillis = Math.max(expiresAtMillis, nowMillis + claim.leaseMillis());
        }
        boolean returned = before != null && before.permits > held;
        freed = spent && (returned || left - granted > 0);
        spent = left - granted <= 0;
        long elsewhere = others + occupiedElsewhere(instance, claim, nowMillis);
        for (Total frame : framesBefore) {
            elsewhere += frame.heldByOthersThan(instance, nowMillis);
        }
        return new Grant(
                total(instance, nowMillis) + tokens(others + held),
                granted,
                elsewhere,
                details(framesBefore, nowMillis));
    }

    /** Whether nothing was left when it was claimed of last. */
    final boolean isSpent() {
        return spent;
    }

    /** Whether the last claim has returned or used what the sender held of a limit of which nothing was left, or made some of it free. */
    final boolean isFreed() {
        return freed;
    }

    final long heldByOthersThan(String instance, long nowMillis) {
        Holding own = holdings.get(instance);
        long all = heldAt(nowMillis);
        return own == null ? all : all - own.permits;
    }

    /** What instances hold whose leases have not ended; the others are forgotten. */
    final long heldAt(long nowMillis) {
        holdings.values().removeIf(holding -> holding.untilMillis <= nowMillis);
        return holdings.values().stream().mapToLong(Holding::permits).sum();
    }

    /** Counts what was used. */
    abstract void use(String instance, Claim claim, long nowMillis);

    /** Counts what is granted to waiting calls, which use it at once. */
    abstract void useNow(String instance, Claim claim, long calls, long nowMillis);

    /** What is left if nobody holds anything. */
    abstract long left(String instance, Claim claim, List<Total> before, long nowMillis);

    /** What was used, in the terms of the rule. */
    abstract long total(String instance, long nowMillis);

    /** So many permits in the terms of the rule. */
    long tokens(long permits) {
        return permits;
    }

    List<Long> details(List<Total> before, long nowMillis) {
        return List.of();
    }

    /** Places of other instances of which the sender cannot know that calls occupy them. */
    long occupiedElsewhere(String instance, Claim claim, long nowMillis) {
        return 0;
    }

    private static IllegalArgumentException otherKind(Claim claim) {
        return new IllegalArgumentException(claim.key().text() + " was claimed by another rule before");
    }

    /** The calls of a window or frame. */
    static final class Total extends MemoryCell {
        private long used;

        @Override
        void use(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Total) && !(claim.rule() instanceof Rule.Frame)) {
                throw otherKind(claim);
            }
            used = Math.max(0, used + claim.used());
        }

        @Override
        void useNow(String instance, Claim claim, long calls, long nowMillis) {
            used += calls;
        }

        @Override
        long left(String instance, Claim claim, List<Total> before, long nowMillis) {
            if (claim.rule() instanceof Rule.Frame frame) {
                return nowMillis >= claim.key().end() ? 0 : frame.most() - used - weight(claim, before, nowMillis);
            }
            return claim.rule() instanceof Rule.Total total ? total.cap() - used : 0;
        }

        private static long weight(Claim claim, List<Total> before, long nowMillis) {
            long whole = 0;
            for (int i = 0; i < before.size() - 1; i++) {
                whole += before.get(i).count(nowMillis);
            }
            long start = claim.key().start();
            long length = claim.key().end() - start;
            return SlidingWindow.weightOfPast(
                    whole, before.get(before.size() - 1).count(nowMillis), nowMillis - start, length);
        }

        private long count(long nowMillis) {
            return used + heldAt(nowMillis);
        }

        @Override
        long total(String instance, long nowMillis) {
            return used;
        }

        @Override
        List<Long> details(List<Total> before, long nowMillis) {
            return before.stream().map(frame -> frame.count(nowMillis)).toList();
        }
    }

    /** A bucket. */
    private static final class Flow extends MemoryCell {
        private final Gcra gcra;
        private final BusyPeriods periods;

        Flow(Gcra gcra) {
            this.gcra = gcra;
            this.periods = new BusyPeriods(gcra);
        }

        @Override
        void use(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Flow)) {
                throw otherKind(claim);
            }
            periods.forgetBefore(nowMillis - 2 * claim.leaseMillis());
            for (Use use : claim.uses()) {
                periods.add(nowMillis - use.agoMillis(), use.count(), nowMillis);
            }
            stayUntilFull(nowMillis);
        }

        @Override
        void useNow(String instance, Claim claim, long calls, long nowMillis) {
            if (calls > 0) {
                periods.add(nowMillis, calls, nowMillis);
                stayUntilFull(nowMillis);
            }
        }

        private void stayUntilFull(long nowMillis) {
            long millis = periods.ahead(nowMillis) / gcra.milli() + 1;
            expiresAtMillis = Math.max(
                    expiresAtMillis, nowMillis + millis + Expiry.USUAL.grace().toMillis());
        }

        @Override
        long left(String instance, Claim claim, List<Total> before, long nowMillis) {
            return Math.floorDiv(gcra.depth() - periods.ahead(nowMillis), gcra.token());
        }

        @Override
        long total(String instance, long nowMillis) {
            return nowMillis * gcra.milli() + periods.ahead(nowMillis);
        }

        @Override
        long tokens(long permits) {
            return permits * gcra.token();
        }
    }

    /** The times of calls, and where they were made. */
    private static final class Log extends MemoryCell {
        private final Deque<Entry> entries = new ArrayDeque<>();

        /** One call. */
        private record Entry(long timeMillis, String instance) {}

        @Override
        void use(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Logged rule)) {
                throw otherKind(claim);
            }
            for (Use use : claim.uses()) {
                forget(instance, -use.count());
                for (long i = 0; i < Math.min(use.count(), rule.most()); i++) {
                    add(new Entry(nowMillis - use.agoMillis(), instance));
                }
            }
            while (!entries.isEmpty() && entries.getFirst().timeMillis() <= nowMillis - rule.periodMillis()) {
                entries.removeFirst();
            }
        }

        @Override
        void useNow(String instance, Claim claim, long calls, long nowMillis) {
            for (long i = 0; i < calls; i++) {
                add(new Entry(nowMillis, instance));
            }
        }

        /** Adds an entry where its time belongs. */
        private void add(Entry entry) {
            Deque<Entry> later = new ArrayDeque<>();
            while (!entries.isEmpty() && entries.getLast().timeMillis() > entry.timeMillis()) {
                later.addFirst(entries.removeLast());
            }
            entries.addLast(entry);
            entries.addAll(later);
        }

        private void forget(String instance, long calls) {
            long left = calls;
            Iterator<Entry> latest = entries.descendingIterator();
            while (left > 0 && latest.hasNext()) {
                if (latest.next().instance().equals(instance)) {
                    latest.remove();
                    left--;
                }
            }
        }

        @Override
        long left(String instance, Claim claim, List<Total> before, long nowMillis) {
            return claim.rule() instanceof Rule.Logged rule ? rule.most() - entries.size() : 0;
        }

        @Override
        long total(String instance, long nowMillis) {
            return entries.size();
        }

        @Override
        List<Long> details(List<Total> before, long nowMillis) {
            return List.of(entries.isEmpty() ? 0 : entries.getFirst().timeMillis());
        }
    }

    /** How many places the calls of each instance occupy. */
    private static final class Places extends MemoryCell {
        private final Map<String, Lease> leases = new HashMap<>();

        /** The places of one instance. */
        private record Lease(long places, long reportedMillis, long untilMillis) {}

        @Override
        void use(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Leased rule)) {
                throw otherKind(claim);
            }
            leases.values().removeIf(lease -> lease.untilMillis <= nowMillis);
            leases.remove(instance);
            if (rule.inUse() > 0) {
                leases.put(instance, new Lease(rule.inUse(), nowMillis, nowMillis + claim.leaseMillis()));
            }
        }

        @Override
        void useNow(String instance, Claim claim, long calls, long nowMillis) {
            if (calls > 0) {
                Lease lease = leases.getOrDefault(instance, new Lease(0, 0, 0));
                leases.put(instance, new Lease(lease.places + calls, nowMillis, nowMillis + claim.leaseMillis()));
            }
        }

        @Override
        long left(String instance, Claim claim, List<Total> before, long nowMillis) {
            return claim.rule() instanceof Rule.Leased rule ? rule.most() - total(instance, nowMillis) : 0;
        }

        @Override
        long total(String instance, long nowMillis) {
            return leases.values().stream().mapToLong(Lease::places).sum();
        }

        @Override
        long occupiedElsewhere(String instance, Claim claim, long nowMillis) {
            long since = claim.rule() instanceof Rule.Leased rule ? rule.sinceMillis() : 0;
            return leases.entrySet().stream()
                    .filter(lease -> !lease.getKey().equals(instance))
                    .map(Map.Entry::getValue)
                    .filter(lease -> since == 0 || lease.reportedMillis < since)
                    .mapToLong(Lease::places)
                    .sum();
        }
    }
}
