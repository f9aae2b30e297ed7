package dev.sluice.limiter.shared;

import dev.sluice.exchange.Batch.Need;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for permits of one pool, in order of arrival. A call that was told to look again stays here until
 * its thread has done so, since permits in hand may be meant for it. But the store is not asked for it: if it finds too
 * few, it is refused or waits anew. Safe for any threads.
 */
public final class WaitingCalls {

    private final Set<WaitingCall> calls = new LinkedHashSet<>();
    /** Calls that have been admitted but not yet woken. */
    private final List<WaitingCall> admitted = new ArrayList<>(0);

    private volatile boolean any;

    /**
     * One waiting call. Its future completes with {@code true} if it should look again, with {@code false} if it is
     * refused.
     */
    public static final class WaitingCall {
        public final CompletableFuture<Boolean> news = new CompletableFuture<>();

        private final long cost;
        private final long need;
        private final boolean sufficesAlone;
        /** Whether the store has been, or is being, asked for what it needs. */
        private boolean isAsked;
        /** Whether it began to wait before permits of other instances were recalled. */
        private boolean isRecalledFor;
        /** Whether it was told to look again. */
        private boolean isWoken;
        /** How many permits it left in the pool when it was admitted; negative if it was not. */
        private long left = -1;
        /** The pool's snapshot right after that. */
        private @Nullable SharedSnapshot snapshot;

        private WaitingCall(long cost, long need, boolean sufficesAlone) {
            this.cost = cost;
            this.need = need;
            this.sufficesAlone = sufficesAlone;
        }

        /** Whether, of a call that was removed after it was admitted, this is still the snapshot. */
        @SuppressWarnings("ReferenceEquality") // each snapshot is another, even if it says the same
        boolean wasAdmittedWith(SharedSnapshot latest) {
            return snapshot == latest;
        }
    }

    /**
     * Adds a waiting call.
     *
     * @param cost what it takes
     * @param need what must be available for it to pass
     * @param sufficesAlone whether it passes once it has this
     */
    public synchronized WaitingCall add(long cost, long need, boolean sufficesAlone) {
        WaitingCall call = new WaitingCall(cost, need, sufficesAlone);
        calls.add(call);
        any = true;
        return call;
    }

    /** Removes a call; returns how many permits it left if it was admitted meanwhile, negative if it was not. */
    synchronized long remove(WaitingCall call) {
        calls.remove(call);
        any = !calls.isEmpty();
        return call.left;
    }

    /**
     * Admits waiting calls in order of arrival, so that no later call takes what they were granted: only calls that the
     * store was asked for, that need no other limit, and that these permits cover. They continue when
     * {@link #wakeAdmitted} is called.
     *
     * @param inHand how many other permits are in the pool
     * @return how many permits they took
     */
    public synchronized long admit(long permits, long inHand) {
        long left = permits;
        Iterator<WaitingCall> waiting = calls.iterator();
        while (waiting.hasNext() && left > 0) {
            WaitingCall call = waiting.next();
            if (call.isAsked && !call.isWoken && call.sufficesAlone && call.need <= left) {
                left -= call.need;
                call.left = left + inHand;
                admitted.add(call);
                waiting.remove();
            }
        }
        any = !calls.isEmpty();
        return permits - left;
    }

    /**
     * Wakes the admitted calls.
     *
     * @param snapshot the pool's snapshot, which counts what they took
     */
    public void wakeAdmitted(SharedSnapshot snapshot) {
        List<WaitingCall> all;
        synchronized (this) {
            all = List.copyOf(admitted);
            all.forEach(call -> call.snapshot = snapshot);
            admitted.clear();
        }
        all.forEach(call -> call.news.complete(true));
    }

    public boolean isEmpty() {
        return !any;
    }

    /** Whether any call has not been told to look again, so that the store has to be asked for it. */
    public boolean isAnyAsking() {
        if (!any) {
            return false;
        }
        synchronized (this) {
            return calls.stream().anyMatch(call -> !call.isWoken);
        }
    }

    /**
     * What the calls need in addition to the permits in hand; the store is asked for this now. It counts as used at
     * once only if that is right for every partial grant: if calls need several permits each, a part may be too little
     * for any.
     *
     * @param isRecalled of places only: whether the store has already recalled for earlier calls. A call that joins after
     *     that is not refused by this answer; it asks anew
     */
    public synchronized Need ask(long inHand, boolean isRecalled) {
        List<WaitingCall> asking = calls.stream().filter(call -> !call.isWoken).toList();
        long least = Long.MAX_VALUE;
        boolean isUsedAtOnce = true;
        for (WaitingCall call : asking) {
            call.isAsked = true;
            call.isRecalledFor |= !isRecalled;
            least = Math.min(least, call.need);
            isUsedAtOnce &= call.sufficesAlone && (call.need == 1 || asking.size() == 1);
        }
        long lacking = Math.min(needed(asking), needed(calls) - inHand);
        return lacking <= 0 ? Need.NONE : new Need(lacking, Math.max(1, least - inHand), isUsedAtOnce);
    }

    /** What all calls need together. */
    public synchronized long needed() {
        return needed(calls);
    }

    private static long needed(Collection<WaitingCall> calls) {
        long costs = 0;
        long spare = 0;
        for (WaitingCall call : calls) {
            costs += call.cost;
            spare = Math.max(spare, call.need - call.cost); // what is needed but not taken serves the next call too
        }
        return costs + spare;
    }

    /** Wakes the calls that the permits in hand cover, in order of arrival. The others keep waiting. */
    public void wakeCovered(long inHand) {
        if (!any) {
            return;
        }
        List<WaitingCall> covered = new ArrayList<>();
        synchronized (this) {
            long left = inHand;
            for (WaitingCall call : calls) {
                if (call.need <= left) {
                    left -= call.cost;
                    call.isWoken = true;
                    covered.add(call);
                }
            }
        }
        covered.forEach(call -> call.news.complete(true));
    }

    /** Wakes all calls, so that they look again. */
    public void wakeAll() {
        List<WaitingCall> all;
        synchronized (this) {
            all = List.copyOf(calls);
            all.forEach(call -> call.isWoken = true);
        }
        all.forEach(call -> call.news.complete(true));
    }

    /**
     * Nothing is left but these permits. Wakes the calls that they cover, in order of arrival. Of the others, those for
     * which this is known are refused, and those that came later are woken.
     */
    public void serveOrRefuse(long permits) {
        List<WaitingCall> served = new ArrayList<>();
        List<WaitingCall> refused = new ArrayList<>();
        synchronized (this) {
            long left = permits;
            for (WaitingCall call : calls) {
                if (call.isAsked && call.need <= left) {
                    left -= call.cost;
                    served.add(call);
                } else {
                    (call.isAsked && call.isRecalledFor && !call.isWoken ? refused : served).add(call);
                }
            }
            served.forEach(call -> call.isWoken = true);
            refused.forEach(calls::remove);
            any = !calls.isEmpty();
        }
        served.forEach(call -> call.news.complete(true));
        refused.forEach(call -> call.news.complete(false));
    }
}
