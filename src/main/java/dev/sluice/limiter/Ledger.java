package dev.sluice.limiter;

import dev.sluice.Batch.Claim;
import dev.sluice.Batch.Grant;
import dev.sluice.CounterKey;
import dev.sluice.Together.OnFailure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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

    /** Of these, windows that calls have noted take no more than this, with those whose time has come no more than that; the rest is for newcomers. */
    private static final int MOST_NOTED = LARGEST_BATCH * 8 / 10;

    private static final int MOST_KNOWN = LARGEST_BATCH * 9 / 10;

    /** More notes than this are not read at a time, so that there is an end even if calls write as fast. */
    private static final int MOST_NOTES = 4 * LARGEST_BATCH;

    final Notes notes;

    private final int mostDebts;
    /** The open accounts: whose time comes is looked for where it was left off. */
    private final Deque<Share> shares = new ArrayDeque<>();

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

    /** Whether there may be more to claim than these, which were collected last. */
    static boolean isFull(List<Claim> claims) {
        return claims.size() >= MOST_NOTED;
    }

    /** The claims that calls have asked for since the last time. */
    List<Claim> collectRushed(long nowMillis) {
        List<Claim> claims = begin(nowMillis);
        hear(notes::nextNewcomer, claims, LARGEST_BATCH, nowMillis);
        return claims;
    }

    /**
     * The claims of all windows whose time has come, those of windows that are about to begin, and the last ones of windows that are over.
     * Newcomers come last, so that accounts are closed before others are opened.
     */
    List<Claim> collectRegular(long nowMillis) {
        List<Claim> claims = begin(nowMillis);
        for (int left = shares.size(); left > 0 && claims.size() < MOST_KNOWN; left--) {
            Share share = shares.remove();
            if (isFree(share)) {
                lookAfter(share, claims, nowMillis);
            }
            if (!share.isClosed) {
                shares.add(share);
            }
        }
        hear(notes::nextNewcomer, claims, LARGEST_BATCH, nowMillis);
        return claims;
    }

    private List<Claim> begin(long nowMillis) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        hear(notes::nextKnown, claims, MOST_NOTED, nowMillis);
        return claims;
    }

    private void lookAfter(Share share, List<Claim> claims, long nowMillis) {
        if (share.isOver(nowMillis)) {
            if (!share.isSettling()) {
                Claim last = share.settle(nowMillis);
                add(claims, share, last);
                share.isClosed = last == null;
            }
        } else if (share.comesRegularly(nowMillis) && share.isTouched()) {
            ask(claims, share, nowMillis, false);
            Window next = share.window.counter.openAhead(share.window, nowMillis);
            if (next != null) {
                Share beginning = open(next, nowMillis);
                add(claims, beginning, beginning.claim(nowMillis, false));
            }
        }
    }

    private void hear(Supplier<@Nullable Window> next, List<Claim> claims, int mostClaims, long nowMillis) {
        List<Window> notYet = new ArrayList<>();
        for (int read = 0; read < MOST_NOTES && claims.size() < mostClaims; read++) {
            Window window = next.get();
            if (window == null) {
                break;
            }
            Share share = register(window, nowMillis);
            if (share != null && share.isTouched()) {
                if (isFree(share)) {
                    ask(claims, share, nowMillis, true);
                } else {
                    notYet.add(window);
                }
            }
        }
        notYet.forEach(notes::again);
    }

    /** The last claims of windows, as many as fit one batch, until there are none: debts are reported, shares returned, accounts closed. */
    List<Claim> collectLast(long nowMillis) {
        forgetNotes(nowMillis);
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        for (int left = shares.size(); left > 0 && claims.size() < LARGEST_BATCH; left--) {
            Share share = shares.remove();
            share.isClosed = isFree(share);
            if (share.isClosed) {
                add(claims, share, share.settle(nowMillis));
            } else {
                shares.add(share);
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
        List<Share> gone = new ArrayList<>();
        for (Share share : shares) {
            share.lendInAbsence(policy, nowMillis);
            share.isClosed = share.isMoot(nowMillis);
            if (!share.isClosed && share.isGone()) {
                gone.add(share);
            }
        }
        int writtenOff = writeOff(gone);
        shares.removeIf(share -> share.isClosed);
        return writtenOff;
    }

    /** Forgets the debts of windows that are gone as far as they are too many, small ones first; how many it was. */
    private int writeOff(List<Share> gone) {
        int tooMany = gone.size() - mostDebts;
        int writtenOff = 0;
        for (long small = 1; writtenOff < tooMany; small *= 2) {
            for (Share share : gone) {
                if (writtenOff < tooMany && !share.isClosed && share.debt() <= small) {
                    share.isClosed = true;
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
        for (int read = 0; read < 2 * mostDebts; read++) {
            Window newcomer = notes.nextNewcomer();
            Window known = notes.nextKnown();
            if (newcomer != null) {
                register(newcomer, nowMillis);
            } else if (known == null) {
                break;
            }
        }
    }

    /** The store is back: all windows have something to say. */
    void presentAgain() {
        shares.forEach(Share::comeSoon);
    }

    /** The account of the window, opened if it is new; {@code null} if it was closed. */
    private @Nullable Share register(Window window, long nowMillis) {
        Share share = window.shared().account;
        if (share == null) {
            return open(window, nowMillis);
        }
        return share.isClosed ? null : share;
    }

    private Share open(Window window, long nowMillis) {
        Share share = new Share(window, nowMillis);
        window.shared().account = share;
        shares.add(share);
        return share;
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
