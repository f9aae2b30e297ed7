package dev.sluice.benchmarks.fleet.bursts;

import java.util.Random;

/** Which instances a caller's calls go to. */
enum Deal {
    IN_TURN,
    AT_RANDOM,
    ALONE,
    /** The first half to one instance, the rest to the next. */
    MOVED;

    /**
     * The instance of one call.
     *
     * @param call the number of the call, from 0
     * @param first where this caller begins, unless that is random
     */
    int instance(int call, Pattern pattern, int first, Random random) {
        int instances = pattern.instances();
        return switch (this) {
            case IN_TURN -> (first + call) % instances;
            case AT_RANDOM -> random.nextInt(instances);
            case ALONE -> first % instances;
            case MOVED -> (first + 2 * call / pattern.calls()) % instances;
        };
    }
}
