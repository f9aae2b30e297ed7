package dev.sluice.limiter.ledger;

import dev.sluice.limiter.account.Account;
import dev.sluice.limiter.balance.Moment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The active accounts; each one is checked four times per interval. Not safe for several threads. */
final class Ticks {

    private static final int TICKS = 4;

    private final Map<Long, Group> groups = new HashMap<>();

    /** The accounts with intervals of one length. */
    private static final class Group {
        private final long tickNanos;
        private final List<Account> active = new ArrayList<>();
        private long nextNanos;
        private int ticks;

        Group(long everyMillis, long now) {
            this.tickNanos = Math.max(1, everyMillis * 1_000_000 / TICKS);
            this.nextNanos = now + tickNanos;
        }
    }

    /** Checks an account, which may become idle. */
    interface Visitor {

        /**
         * Checks an account; returns whether it has a claim to send now.
         *
         * @param intervalEnds whether this is the last tick of an interval
         */
        boolean visit(Account account, boolean intervalEnds);
    }

    /** Activates an idle account. */
    void activate(Account account, Moment now) {
        if (account.activate(now)) {
            groups.computeIfAbsent(account.everyMillis, every -> new Group(every, now.nanos()))
                    .active
                    .add(account);
        }
    }

    /** Checks the accounts whose tick is due; returns whether any has a claim to send now. */
    boolean visit(Moment now, Visitor visitor) {
        boolean anyFound = false;
        for (Group group : groups.values()) {
            long late = now.nanos() - group.nextNanos;
            if (late >= 0) {
                group.nextNanos += group.tickNanos * (late / group.tickNanos + 1);
                group.ticks++;
                for (Account account : group.active) {
                    anyFound |= visitor.visit(account, group.ticks % TICKS == 0);
                }
                group.active.removeIf(account -> !account.isActive());
            }
        }
        return anyFound;
    }

    /** When the next tick is; {@link Long#MAX_VALUE} if no account is active. */
    long nextNanos() {
        long next = Long.MAX_VALUE;
        for (Group group : groups.values()) {
            next = group.active.isEmpty() ? next : Math.min(next, group.nextNanos);
        }
        return next;
    }

    /** The number of active accounts. */
    int active() {
        int active = 0;
        for (Group group : groups.values()) {
            active += group.active.size();
        }
        return active;
    }

    void forEach(Consumer<Account> reader) {
        groups.values().forEach(group -> group.active.forEach(reader));
    }
}
