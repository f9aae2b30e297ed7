package dev.sluice.limiter;

import dev.sluice.Call;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call before several counters: it is counted in all of them or in none. First all are judged; then each is made to hold what the call
 * takes, in the order of the counters' numbers, and what is held is kept or given back together, as {@link Pool} explains. Used by one thread.
 */
final class Turn {

    /** What became of an attempt. */
    enum Outcome {
        TAKEN,
        REFUSED,
        /** A counter was retired or a frame ended meanwhile: the counters have to be looked up again. */
        RETIRED
    }

    private final Part[] parts;
    private @Nullable Part refusing;

    private Turn(Part[] parts) {
        this.parts = parts;
    }

    /** The turn of a call before all tiers of these definitions; who calls, and what it costs, is asked once. */
    static Turn of(List<Guard> guards, Call call) {
        int tiers = 0;
        for (Guard guard : guards) {
            tiers += guard.endpoint.tiers().size();
        }
        Part[] parts = new Part[tiers];
        int next = 0;
        for (Guard guard : guards) {
            Guard.Caller caller = guard.caller(call);
            long cost = guard.cost(call);
            for (CounterFamily family : caller.families()) {
                parts[next++] = new Part(guard, family, caller.values(), cost);
            }
        }
        Turn turn = new Turn(parts);
        turn.putInOrder();
        return turn;
    }

    /** Looks up the counters, and takes from all of them or from none. */
    Outcome take(Counters counters, long nowMillis) {
        find(counters, nowMillis);
        return take(nowMillis);
    }

    /** The order in which pools are held: by their families, all of which differ. Nearly always they are in it already. */
    private void putInOrder() {
        for (int i = 1; i < parts.length; i++) {
            Part moved = parts[i];
            int to = i;
            while (to > 0 && parts[to - 1].family.number > moved.family.number) {
                parts[to] = parts[to - 1];
                to--;
            }
            parts[to] = moved;
        }
    }

    /** Finds the pools of that moment. */
    void find(Counters counters, long nowMillis) {
        for (Part part : parts) {
            part.find(counters, nowMillis);
        }
    }

    Outcome take(long nowMillis) {
        for (Part part : parts) {
            if (part.isShort(nowMillis)) {
                refusing = part;
                return Outcome.REFUSED;
            }
        }
        for (int i = 0; i < parts.length; i++) {
            long reading = parts[i].hold(nowMillis);
            if (reading < 0) {
                for (int held = 0; held < i; held++) {
                    parts[held].giveBack(nowMillis);
                }
                refusing = parts[i];
                return reading == Pool.TOO_FEW ? Outcome.REFUSED : Outcome.RETIRED;
            }
        }
        for (Part part : parts) {
            part.keep();
        }
        return Outcome.TAKEN;
    }

    Part[] parts() {
        return parts;
    }

    /** The part that refused the call. */
    Part refusing() {
        return refusing == null ? parts[0] : refusing;
    }

    /** Of the parts that refuse the call, the one that will do so longest: a retry passes when that one lets it. */
    Part longestRefusing(long nowMillis) {
        Part longest = refusing();
        long wait = longest.pool().retryMillis(longest.need, nowMillis);
        for (Part part : parts) {
            if (part != longest && part.isShort(nowMillis)) {
                long other = part.pool().retryMillis(part.need, nowMillis);
                if (other > wait) {
                    longest = part;
                    wait = other;
                }
            }
        }
        return longest;
    }

    /** The part with the least left in proportion to its limit. */
    Part scarcest(long nowMillis) {
        Part scarcest = parts[0];
        double least = Double.POSITIVE_INFINITY;
        for (Part part : parts) {
            double left = part.pool().leftInProportion(nowMillis);
            if (left < least) {
                scarcest = part;
                least = left;
            }
        }
        return scarcest;
    }

    /** The call is refused: what it was granted while it waited is not needed. */
    void giveUp(Sharing sharing) {
        for (Part part : parts) {
            if (part.pool() instanceof SharedPool pool) {
                sharing.attend(pool);
            }
        }
    }

    /** All that the call did not find, that of {@link #refusing} first. */
    List<Shortage> shortages(long nowMillis) {
        boolean isAll = parts.length == 1 && parts[0].need == parts[0].cost;
        List<Shortage> shortages = new ArrayList<>(1);
        shortages.add(refusing().shortage(isAll));
        for (Part part : parts) {
            if (part != refusing() && part.isShort(nowMillis)) {
                shortages.add(part.shortage(false));
            }
        }
        return shortages;
    }
}
