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
 * The calls that each of many new callers makes, once.
 *
 * @param name a description of the limit, and of how calls arrive
 * @param calls the calls of each caller
 * @param apart the time between two calls of a caller; zero if all come at once
 * @param comesBack whether callers do the same again in the next window, each to a single instance
 */
record Pattern(String name, int instances, Rule rule, int calls, Duration apart, Deal deal, boolean comesBack) {

    static final int CALLERS = 20;
    private static final long SEED = 42;
    /** The earliest call after the start of a window, so that clocks agree on the window. */
    private static final Duration FIRST = Duration.ofMillis(300);

    String title() {
        return "Bursts: %d instances, %s".formatted(instances, name);
    }

    /** The same pattern without coming back. */
    Pattern once() {
        return new Pattern(name, instances, rule, calls, apart, deal, false);
    }

    /** How many calls of one caller fit into the limit. */
    long room() {
        return Math.min(rule.threshold(), calls);
    }

    /**
     * All calls of all callers, in order. Callers begin one after another. Those who come back get new numbers, because
     * each window is judged by itself.
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

    /** The caller with this number. */
    static int callerOf(int number) {
        return number % CALLERS;
    }
}
