package dev.sluice.benchmarks.fleet.bursts;

import java.util.Random;

/** How a caller's calls are distributed over instances. */
enum Deal {
    IN_TURN,
    AT_RANDOM,
    ALONE,
    /** The first half of the calls goes to one instance, and the rest to the next instance. */
    MOVED;

    /**
     * The instance that receives a call.
     *
     * @param call the number of the call, starting at 0
     * @param first this caller's first instance, unless instances are chosen at random
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
