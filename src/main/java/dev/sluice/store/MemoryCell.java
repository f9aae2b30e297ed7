package dev.sluice.store;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.Batch.Rule;
import dev.sluice.algorithm.Gcra;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** One counter of the store in memory. Guarded by the store's lock. */
abstract sealed class MemoryCell {

    /** When it goes away if nobody claims of it; rounded up by the store. */
    long expiresAtMillis;

    /** What is born by the first claim for a counter. */
    static MemoryCell of(Rule rule) {
        if (rule instanceof Rule.Flow) {
            return new Flow();
        }
        if (rule instanceof Rule.Logged) {
            return new Log();
        }
        return rule instanceof Rule.Leased ? new Leases() : new Total();
    }

    /** Applies a claim of this instance. */
    final Grant apply(String instance, Claim claim, long nowMillis) {
        expiresAtMillis = Math.max(expiresAtMillis, Expiry.USUAL.of(claim, nowMillis));
        return grant(instance, claim, nowMillis);
    }

    abstract Grant grant(String instance, Claim claim, long nowMillis);

    /** Whether all that may be granted is. */
    abstract boolean isSpent();

    private static long granted(Claim claim, long room) {
        long granted = Math.max(Math.min(claim.wanted(), room), 0);
        return granted < claim.atLeast() ? 0 : granted;
    }

    private static IllegalArgumentException otherKind(Claim claim) {
        return new IllegalArgumentException(claim.key().text() + " was claimed by another rule before");
    }

    /** A sum. */
    private static final class Total extends MemoryCell {
        private long total;
        private long cap;

        @Override
        Grant grant(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Total rule)) {
                throw otherKind(claim);
            }
            cap = rule.cap();
            long spent = Math.max(total + claim.spent(), 0);
            boolean over = rule.outlivesMillis() > 0 && nowMillis >= claim.key().end();
            long granted = over ? 0 : granted(claim, cap - spent);
            total = spent + granted;
            return new Grant(total, granted);
        }

        @Override
        boolean isSpent() {
            return total >= cap;
        }
    }

    /** A bucket: its theoretical arrival time. */
    private static final class Flow extends MemoryCell {
        private long arrival = Gcra.FULL;
        private boolean empty;

        @Override
        Grant grant(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Flow rule)) {
                throw otherKind(claim);
            }
            Gcra gcra = new Gcra(rule.token(), rule.milli(), rule.depth(), rule.furthest());
            arrival = claim.spent() < 0
                    ? gcra.putBack(arrival, -claim.spent())
                    : gcra.charge(arrival, nowMillis, claim.spent());
            long granted = granted(claim, gcra.left(arrival, nowMillis));
            arrival = gcra.charge(arrival, nowMillis, granted);
            empty = gcra.left(arrival, nowMillis) <= 0;
            expiresAtMillis = Math.max(
                    expiresAtMillis,
                    nowMillis
                            + gcra.resetMillis(arrival, nowMillis)
                            + Expiry.USUAL.grace().toMillis());
            return new Grant(arrival, granted);
        }

        @Override
        boolean isSpent() {
            return empty;
        }
    }

    /** The times of calls, and who made them. */
    private static final class Log extends MemoryCell {
        private final Deque<Entry> entries = new ArrayDeque<>();
        private long most;

        /** One call. */
        private record Entry(long timeMillis, String instance) {}

        @Override
        Grant grant(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Logged rule)) {
                throw otherKind(claim);
            }
            most = rule.most();
            while (!entries.isEmpty() && entries.getFirst().timeMillis() <= nowMillis - rule.periodMillis()) {
                entries.removeFirst();
            }
            forget(instance, -claim.spent());
            note(instance, Math.min(claim.spent(), most), nowMillis);
            long granted = granted(claim, most - entries.size());
            note(instance, granted, nowMillis);
            return new Grant(
                    entries.size(),
                    granted,
                    entries.isEmpty() ? 0 : entries.getFirst().timeMillis());
        }

        private void note(String instance, long calls, long nowMillis) {
            for (long i = 0; i < calls; i++) {
                entries.addLast(new Entry(nowMillis, instance));
            }
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
        boolean isSpent() {
            return entries.size() >= most;
        }
    }

    /** Who holds how many places, and until when. */
    private static final class Leases extends MemoryCell {
        private final Map<String, Lease> leases = new HashMap<>();
        private long most;

        /** What one instance holds. */
        private record Lease(long places, long untilMillis) {}

        @Override
        Grant grant(String instance, Claim claim, long nowMillis) {
            if (!(claim.rule() instanceof Rule.Leased rule)) {
                throw otherKind(claim);
            }
            most = rule.most();
            leases.remove(instance);
            leases.values().removeIf(lease -> lease.untilMillis() <= nowMillis);
            long others = held();
            long held = Math.max(0, claim.spent());
            long granted = granted(claim, most - others - held);
            if (held + granted > 0) {
                leases.put(instance, new Lease(held + granted, nowMillis + rule.leaseMillis()));
            }
            return new Grant(others + held + granted, granted);
        }

        private long held() {
            return leases.values().stream().mapToLong(Lease::places).sum();
        }

        @Override
        boolean isSpent() {
            return held() >= most;
        }
    }
}
