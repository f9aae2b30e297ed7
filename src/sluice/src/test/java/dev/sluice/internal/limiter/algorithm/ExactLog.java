package dev.sluice.internal.limiter.algorithm;

import dev.sluice.internal.limiter.algorithm.AlgorithmContract.Admitted;
import dev.sluice.internal.limiter.algorithm.AlgorithmContract.LimitModel;
import java.util.ArrayList;
import java.util.List;

/** A model that remembers each call: a perfect log. */
abstract class ExactLog implements LimitModel {

    private final List<Admitted> admitted = new ArrayList<>();

    @Override
    public void note(long nowMillis, long cost) {
        admitted.add(new Admitted(nowMillis, cost));
    }

    /** How much passed from one moment to just before another. */
    long between(long from, long before) {
        return admitted.stream()
                .filter(one -> from <= one.atMillis() && one.atMillis() < before)
                .mapToLong(Admitted::cost)
                .sum();
    }

    /** The most that passed in any span of that length. */
    static long mostInAnySpan(List<Admitted> admitted, long lengthMillis) {
        long most = 0;
        long sum = 0;
        int first = 0;
        for (Admitted last : admitted) {
            sum += last.cost();
            while (admitted.get(first).atMillis() <= last.atMillis() - lengthMillis) {
                sum -= admitted.get(first++).cost();
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
