package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.CounterKey;
import dev.sluice.Together.OnFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all shared windows: what is due becomes claims, what the store answers is handed out. Calls only leave
 * {@link #notes}; all else is done by one thread.
 */
final class Ledger {

    /** More claims than this wait for the next exchange, so that none becomes too long for the store. */
    static final int LARGEST_BATCH = 5_000;

    final Notes notes;

    private final int mostDebts;
    private final Map<Window, Share> shares = new HashMap<>();
    private final Map<CounterKey, Account> claimed = new HashMap<>();

    /**
     * Opens an empty ledger.
     *
     * @param maximumCounters that live at a time, idle ones and spent ones; so many that are gone may owe the store something while it is away
     */
    Ledger(int maximumCounters) {
        this.notes = new Notes(2 * maximumCounters);
        this.mostDebts = maximumCounters;
    }

    /** The claims that calls have asked for since the last time. */
    List<Claim> collectRushed(long nowMillis) {
        List<Claim> claims = begin(nowMillis);
        hearNewcomers(claims, nowMillis);
        return claims;
    }

    /**
     * The claims of all windows whose time has come, those of windows that are about to begin, and the last ones of windows that are over.
     * Newcomers come last, so that accounts are closed before others are opened.
     */
    List<Claim> collectRegular(long nowMillis) {
        List<Claim> claims = begin(nowMillis);
        List<Share> beginning = new ArrayList<>();
        Iterator<Share> all = shares.values().iterator();
        while (all.hasNext() && claims.size() < LARGEST_BATCH) {
            Share share = all.next();
            if (!isFree(share)) {
                continue;
            }
            if (share.isOver(nowMillis)) {
                Claim last = share.isSettling() ? null : share.settle(nowMillis);
                add(claims, share, last);
                if (last == null && !share.isSettling()) {
                    all.remove();
                }
            } else if (share.comesRegularly(nowMillis) && share.isTouched()) {
                ask(claims, share, nowMillis, false);
                Window next = share.window.counter.openAhead(share.window, nowMillis);
                if (next != null) {
                    beginning.add(new Share(next, nowMillis));
                }
            }
        }
        for (Share share : beginning) {
            shares.put(share.window, share);
            add(claims, share, share.claim(nowMillis, false));
        }
        hearNewcomers(claims, nowMillis);
        return claims;
    }

    private List<Claim> begin(long nowMillis) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        hear(notes::nextKnown, claims, nowMillis);
        return claims;
    }

    private void hearNewcomers(List<Claim> claims, long nowMillis) {
        hear(notes::nextUnknown, claims, nowMillis);
    }

    private void hear(Supplier<@Nullable Window> next, List<Claim> claims, long nowMillis) {
        Window window = claims.size() < LARGEST_BATCH ? next.get() : null;
        while (window != null) {
            Share share = register(window, nowMillis);
            if (share.isTouched() && isFree(share)) {
                ask(claims, share, nowMillis, true);
            }
            window = claims.size() < LARGEST_BATCH ? next.get() : null;
        }
    }

    /** The last claims of windows, as many as fit one batch, until there are none: debts are reported, shares returned, accounts closed. */
    List<Claim> collectLast(long nowMillis) {
        forgetNotes(nowMillis);
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        Iterator<Share> all = shares.values().iterator();
        while (all.hasNext() && claims.size() < LARGEST_BATCH) {
            Share share = all.next();
            if (isFree(share)) {
                add(claims, share, share.settle(nowMillis));
                all.remove();
            }
        }
        return claims;
    }

    /** The store has applied these claims, which were collected last. */
    void apply(List<Claim> claims, List<Grant> grants, long nowMillis) {
        for (int i = 0; i < claims.size(); i++) {
            Account account = claimed.remove(claims.get(i).key());
            if (account != null) {
                account.apply(claims.get(i), grants.get(i), nowMillis);
                if (account instanceof Look look && look.isLast()) {
                    notes.due(look.asking().window);
                }
            }
        }
    }

    /**
     * The store is away; until it is heard again, each window may use what the policy says. Accounts that mean nothing any more are closed.
     *
     * @return how many debts were written off, because more windows have gone that owe the store something than can be remembered
     */
    int absent(OnFailure policy, long nowMillis) {
        forgetNotes(nowMillis);
        shares.values().forEach(share -> share.lendInAbsence(policy, nowMillis));
        shares.values().removeIf(share -> share.isMoot(nowMillis));
        long gone = shares.values().stream().filter(Share::isGone).count();
        return writeOff(gone - mostDebts);
    }

    /** Forgets so many debts of windows that are gone, small ones first; how many it was. */
    private int writeOff(long tooMany) {
        int writtenOff = 0;
        for (long small = 1; writtenOff < tooMany; small *= 2) {
            Iterator<Share> all = shares.values().iterator();
            while (all.hasNext() && writtenOff < tooMany) {
                Share share = all.next();
                if (share.isGone() && share.debt() <= small) {
                    all.remove();
                    writtenOff++;
                }
            }
        }
        return writtenOff;
    }

    /** How many windows have an account. */
    int accounts() {
        return shares.size();
    }

    /** Opens accounts for the windows that were born, and asks nothing. */
    private void forgetNotes(long nowMillis) {
        for (Window window = notes.nextUnknown(); window != null; window = notes.nextUnknown()) {
            register(window, nowMillis);
        }
        Window window = notes.nextKnown();
        while (window != null) {
            window = notes.nextKnown();
        }
    }

    /** The store is back: all windows have something to say. */
    void presentAgain() {
        shares.values().forEach(Share::comeSoon);
    }

    private Share register(Window window, long nowMillis) {
        return shares.computeIfAbsent(window, opened -> new Share(opened, nowMillis));
    }

    /** Whether no other claim for the same counter is under way: a retired window may still be settling when its successor is born. */
    private boolean isFree(Account account) {
        return !claimed.containsKey(account.key());
    }

    private void ask(List<Claim> claims, Share share, long nowMillis, boolean rushed) {
        for (Look look : share.looks(nowMillis)) {
            if (isFree(look)) {
                add(claims, look, look.claim());
            }
        }
        add(claims, share, share.claim(nowMillis, rushed));
    }

    private void add(List<Claim> claims, Account account, @Nullable Claim claim) {
        if (claim != null) {
            claims.add(claim);
            claimed.put(account.key(), account);
        }
    }
}
