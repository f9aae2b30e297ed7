package dev.sluice;

/**
 * How many threads of the service may wait at the same time, each kind counted for itself: waits in queues are long,
 * and must not use up what the short waits for the store need.
 *
 * @param turns for their turns in queues
 * @param store for a store that answers slowly
 */
public record WaitingThreads(int turns, int store) {

    /** The most of either kind. */
    public static final int MOST = 1_000_000;

    private static final int TURNS_A_PROCESSOR = 4;
    private static final int FEWEST_TURNS = 8;
    private static final int HALF_OF_A_USUAL_POOL = 100;

    /** What a file that says nothing gets: half of the threads that containers have if they are not told otherwise. */
    public static final WaitingThreads DEFAULT = new WaitingThreads(
            Math.max(
                    FEWEST_TURNS,
                    Math.min(TURNS_A_PROCESSOR * Runtime.getRuntime().availableProcessors(), HALF_OF_A_USUAL_POOL)),
            HALF_OF_A_USUAL_POOL);
}
