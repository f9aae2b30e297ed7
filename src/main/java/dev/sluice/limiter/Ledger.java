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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The accounts of all shared windows: what is due becomes claims, what the store answers is handed out. Calls only leave notes in two
 * queues; all else is done by one thread.
 */
final class Ledger {

    /** More claims than this wait for the next exchange, so that none becomes too long for the store. */
    static final int LARGEST_BATCH = 5_000;

    private final Queue<Window> born = new ConcurrentLinkedQueue<>();
    private final Queue<Window> due = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final int maximum;

    private final Map<Window, Share> shares = new HashMap<>();
    private final Map<CounterKey, Account> claimed = new HashMap<>();

    /**
     * Opens an empty ledger.
     *
     * @param maximum of notes that may wait; a window beyond it is left to itself, with what it was born with
     */
    Ledger(int maximum) {
        this.maximum = maximum;
    }

    /** A call has opened a window; whether it was noted. Any thread. */
    boolean noteBorn(Window window) {
        return note(born, window);
    }

    /** A call has found a window's permits low; whether this is news. Any thread. */
    boolean noteDue(Window window) {
        Window.Shared shared = window.shared;
        if (shared == null || shared.due) {
            return false;
        }
        shared.due = true;
        return note(due, window);
    }

    private boolean note(Queue<Window> queue, Window window) {
        if (waiting.incrementAndGet() > maximum) {
            waiting.decrementAndGet();
            return false;
        }
        return queue.add(window);
    }

    boolean hasNotes() {
        return waiting.get() > 0;
    }

    /** Whether some window runs low; others that were born can wait a moment, having permits that were lent. */
    boolean isPressed() {
        return !due.isEmpty();
    }

    /** The claims that calls have asked for since the last time. */
    List<Claim> collectRushed(long nowMillis) {
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        for (Window window = born.poll(); window != null; window = next(born, claims)) {
            Share share = register(window, nowMillis);
            if (share.isTouched()) {
                ask(claims, share, nowMillis, true);
            }
        }
        for (Window window = due.poll(); window != null; window = next(due, claims)) {
            Share share = shares.get(window);
            if (share != null && isFree(share)) {
                ask(claims, share, nowMillis, true);
            }
        }
        return claims;
    }

    private @Nullable Window next(Queue<Window> queue, List<Claim> claims) {
        waiting.decrementAndGet();
        return claims.size() < LARGEST_BATCH ? queue.poll() : null;
    }

    /** The claims of all windows whose time has come, those of windows that are about to begin, and the last ones of windows that are over. */
    List<Claim> collectRegular(long nowMillis) {
        List<Claim> claims = collectRushed(nowMillis);
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
        return claims;
    }

    /** The last claims of all windows: debts are reported, shares returned. */
    List<Claim> collectLast(long nowMillis) {
        forgetNotes(nowMillis);
        claimed.clear();
        List<Claim> claims = new ArrayList<>();
        for (Share share : shares.values()) {
            if (isFree(share)) {
                add(claims, share, share.settle(nowMillis));
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
                    noteDue(look.asking().window);
                }
            }
        }
    }

    /** The store is away; until it is heard again, each window may use what the policy says. */
    void absent(OnFailure policy, long nowMillis) {
        forgetNotes(nowMillis);
        shares.values().forEach(share -> share.lendInAbsence(policy, nowMillis));
    }

    /** Opens accounts for the windows that were born, and asks nothing. */
    private void forgetNotes(long nowMillis) {
        for (Window window = born.poll(); window != null; window = born.poll()) {
            waiting.decrementAndGet();
            register(window, nowMillis);
        }
        for (Window window = due.poll(); window != null; window = due.poll()) {
            waiting.decrementAndGet();
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
