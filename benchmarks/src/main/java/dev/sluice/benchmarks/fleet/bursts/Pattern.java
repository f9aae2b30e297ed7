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
 * What each of many new callers does, once.
 *
 * @param name tells people what is limited, and how calls come
 * @param calls so many for each caller
 * @param apart the time between two calls of a caller; zero for all at once
 * @param comesBack whether callers do the same in the next window once more, each to one instance alone
 */
record Pattern(String name, int instances, Rule rule, int calls, Duration apart, Deal deal, boolean comesBack) {

    static final int CALLERS = 20;
    private static final long SEED = 42;
    /** Nobody calls so soon after a window's start that clocks may tell different windows. */
    private static final Duration FIRST = Duration.ofMillis(300);

    String title() {
        return "Bursts: %d instances, %s".formatted(instances, name);
    }

    /** The same for callers who do not come back. */
    Pattern once() {
        return new Pattern(name, instances, rule, calls, apart, deal, false);
    }

    /** So many calls of one caller find room. */
    long room() {
        return Math.min(rule.threshold(), calls);
    }

    /**
     * All calls of all callers, in the order of their times. Callers begin one after the other; those who come back
     * have numbers of their own then, since each window is judged by itself.
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

    /** Whose number that is. */
    static int callerOf(int number) {
        return number % CALLERS;
    }
}
