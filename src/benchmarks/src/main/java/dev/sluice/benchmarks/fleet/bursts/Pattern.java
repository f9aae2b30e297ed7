package dev.sluice.benchmarks.fleet.bursts;

import dev.sluice.benchmarks.fleet.rig.PlannedCall;
import dev.sluice.benchmarks.fleet.rig.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A pattern of calls that each new caller makes in a burst.
 *
 * @param name a description of the limit and of how calls arrive
 * @param calls the number of calls that each caller makes
 * @param apart the time between two calls of a caller; zero if all its calls are simultaneous
 * @param comesBack whether callers make the same calls again in the next window, each of them to a single instance
 */
record Pattern(String name, int instances, Rule rule, int calls, Duration apart, Deal deal, boolean comesBack) {

    static final int CALLERS = 20;
    private static final long SEED = 42;
    /**
     * The time between the start of a window and the first call. It is long enough that all clocks agree on the current
     * window.
     */
    private static final Duration FIRST = Duration.ofMillis(300);

    String title() {
        return "Bursts: %d instances, %s".formatted(instances, name);
    }

    /** Returns the same pattern without calls in the next window. */
    Pattern once() {
        return new Pattern(name, instances, rule, calls, apart, deal, false);
    }

    /** The number of calls that the limit admits per caller. */
    long room() {
        return Math.min(rule.threshold(), calls);
    }

    /**
     * Plans the calls of all callers, in order. The callers begin one after the other. Callers that return in the next
     * window get new numbers, because each window is evaluated separately.
     */
    List<PlannedCall> plan(Duration betweenCallers) {
        List<PlannedCall> plan = new ArrayList<>();
        add(plan, 0, FIRST, betweenCallers, deal);
        if (comesBack) {
            add(plan, CALLERS, FIRST.plus(rule.limits().get(0).period()), betweenCallers, Deal.ALONE);
        }
        plan.sort(Comparator.comparingLong(PlannedCall::dueNanos));
        return plan;
    }

    private void add(List<PlannedCall> plan, int firstNumber, Duration first, Duration betweenCallers, Deal dealt) {
        Random random = new Random(SEED);
        for (int caller = 0; caller < CALLERS; caller++) {
            for (int call = 0; call < calls; call++) {
                long due = first.toNanos() + caller * betweenCallers.toNanos() + call * apart.toNanos();
                plan.add(new PlannedCall(due, firstNumber + caller, dealt.instance(call, this, caller, random)));
            }
        }
    }

    /** The names of callers, by number. */
    List<String> names(String kind) {
        return IntStream.range(0, comesBack ? 2 * CALLERS : CALLERS)
                .mapToObj(number -> kind + '-' + callerOf(number))
                .toList();
    }

    /** The caller with the given number. */
    static int callerOf(int number) {
        return number % CALLERS;
    }
}
