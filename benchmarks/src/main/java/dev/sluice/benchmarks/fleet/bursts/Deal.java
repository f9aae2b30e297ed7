package dev.sluice.benchmarks.fleet.bursts;

import java.util.Random;

/** Which instance a caller's calls come to. */
enum Deal {
    IN_TURN {
        @Override
        int instance(int call, Pattern pattern, int first, Random random) {
            return (first + call) % pattern.instances();
        }
    },
    AT_RANDOM {
        @Override
        int instance(int call, Pattern pattern, int first, Random random) {
            return random.nextInt(pattern.instances());
        }
    },
    ALONE {
        @Override
        int instance(int call, Pattern pattern, int first, Random random) {
            return first % pattern.instances();
        }
    },
    /** The first half of them to one instance, the others to the next. */
    MOVED {
        @Override
        int instance(int call, Pattern pattern, int first, Random random) {
            return (first + 2 * call / pattern.calls()) % pattern.instances();
        }
    };

    /**
     * The instance of one call.
     *
     * @param call the number of it, from 0
     * @param first where this caller begins, if that is not drawn
     */
    abstract int instance(int call, Pattern pattern, int first, Random random);
}
