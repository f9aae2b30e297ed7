package dev.sluice.benchmarks.fleet.steady;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.Pause;
import dev.sluice.benchmarks.fleet.rig.Redis;
import dev.sluice.benchmarks.fleet.rig.Usage;
import java.util.List;
import java.util.concurrent.Future;

/** A fleet, and the threads that call it. */
final class CalledFleet implements AutoCloseable {

    private final Fleet fleet;
    private final Redis idle;
    private final SteadyLoad load = new SteadyLoad();
    private int plays;

    /** Opens a fleet. The fleet's cost for Redis is measured relative to an idle Redis server. */
    CalledFleet(Contestant contestant, int size, Redis idle) {
        this.fleet = new Fleet(contestant, Article.RULE, size);
        this.idle = idle;
    }

    String contestant() {
        return fleet.contestant().name();
    }

    String redisVersion() {
        return fleet.redisVersion();
    }

    /**
     * Plays the calls of new tenants. Redis is measured from the first window on.
     *
     * @param startMillis when the first window begins, in milliseconds since 1970
     * @param newEachWindow the number of tenants to replace in each window
     */
    SteadyOutcome.Round play(Arrivals arrivals, long startMillis, int newEachWindow) {
        Names names = Names.of(plays++, arrivals.windows, newEachWindow);
        Played played = Played.from(arrivals, startMillis);
        List<Future<?>> workers = load.start(played, fleet.instances(), names);
        Pause.untilNanos(played.startNanos);
        Usage before = fleet.usage();
        Usage idleBefore = idle.usage();
        SteadyLoad.await(workers);
        Usage used = fleet.usage().since(before);
        return new SteadyOutcome.Round(played, used.lessIdle(idle.usage().since(idleBefore)));
    }

    @Override
    public void close() {
        load.close();
        fleet.close();
    }
}
