package dev.sluice.limiter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call before several counters: it is counted in all of them or in none. First all are judged; then permits are held,
 * counter by counter in the order of the counters' numbers, and kept or given back together, as {@link Permits} explains.
 * Used by one thread.
 */
final class Turn {

    /** What became of a turn. */
    enum Outcome {
        TAKEN,
        REFUSED,
        /** A counter was retired meanwhile: the counters have to be looked up again. */
        RETIRED
    }

    private final List<Window> windows = new ArrayList<>();
    private final List<Window> excused;
    private final long cost;
    private boolean retired;
    private @Nullable Window refusing;

    /**
     * Prepares a turn.
     *
     * @param excused windows that the call passes without a permit
     */
    Turn(List<WindowCounter> counters, long nowMillis, long cost, List<Window> excused) {
        this.cost = cost;
        this.excused = excused;
        for (WindowCounter counter : counters) {
            Window window = counter.at(nowMillis);
            if (window == null) {
                retired = true;
            } else {
                windows.add(window);
            }
        }
        windows.sort(Comparator.comparingLong(window -> window.counter.number));
    }

    Outcome take() {
        if (retired) {
            return Outcome.RETIRED;
        }
        for (Window window : windows) {
            if (window.permits.surelyShortOf(cost) && !excused.contains(window)) {
                refusing = window;
                return Outcome.REFUSED;
            }
        }
        List<Window> held = new ArrayList<>(windows.size());
        for (Window window : windows) {
            long left = excused.contains(window) ? 0 : window.permits.hold(cost);
            if (left < 0) {
                held.forEach(other -> other.permits.giveBack(cost));
                refusing = window;
                return left == Permits.TOO_FEW ? Outcome.REFUSED : Outcome.RETIRED;
            }
            if (!excused.contains(window)) {
                held.add(window);
            }
        }
        held.forEach(window -> window.permits.keep());
        return Outcome.TAKEN;
    }

    /** All windows of the turn. */
    List<Window> windows() {
        return windows;
    }

    /** Of the windows that refuse the call, the one that will do so longest: a retry passes when that one lets it. */
    Window longestRefusing() {
        Window longest = refusing == null ? windows.get(0) : refusing;
        for (Window window : windows) {
            if (window.end > longest.end && window.left() < cost) {
                longest = window;
            }
        }
        return longest;
    }

    /** The window with the least left in proportion to its threshold. */
    Window scarcest() {
        Window scarcest = windows.get(0);
        for (Window window : windows) {
            if (window.leftInProportion() < scarcest.leftInProportion()) {
                scarcest = window;
            }
        }
        return scarcest;
    }
}
