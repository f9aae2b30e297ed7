package dev.sluice.internal.limiter.simulation;

import dev.sluice.limits.Limits;
import java.util.List;
import java.util.Random;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Lets something happen to a fleet every now and then, until it is ended; all from one seed. It does not draw from the
 * random numbers of the calls, so a seed plays the same calls whatever happens.
 */
public final class Mishaps {

    /** The longest time for which something stands still. */
    public static final long LONGEST_STALL_MILLIS = 200;

    /** The longest time for which an instance stands still until its leases have ended. */
    public static final long LONGEST_FREEZE_MILLIS = 60_000;

    private static final long SHORTEST_STALL_MILLIS = 20;
    private static final long PEACE_MILLIS = 300;
    private static final long HOUR_MILLIS = 3_600_000;
    /** By then every instance has the limits that one of them has. */
    static final long FOLLOWED_MILLIS = 20;

    private final SimulatedFleet fleet;
    private final Random random;
    private final LongFunction<Limits> otherLimits;
    private final LongConsumer excuseUntil;
    private final LongConsumer unavailableFor;
    private boolean ended;

    /**
     * Nothing happens yet.
     *
     * @param otherLimits limits for a random number
     * @param excuseUntil receives until when calls may be refused early
     * @param unavailableFor receives how long the store is unavailable from now on
     */
    public Mishaps(
            SimulatedFleet fleet,
            long seed,
            LongFunction<Limits> otherLimits,
            LongConsumer excuseUntil,
            LongConsumer unavailableFor) {
        this.fleet = fleet;
        this.random = new Random(~seed);
        this.otherLimits = otherLimits;
        this.excuseUntil = excuseUntil;
        this.unavailableFor = unavailableFor;
    }

    /** Begins, after some time. */
    public void begin(Mishap mishap) {
        switch (mishap) {
            case STALLS -> after(random(1_000), this::stall);
            case FREEZES -> after(random(2_000), this::freeze);
            case CLOCK_STEPS -> after(random(3_000), this::stepClock);
            case LONG_CUTS -> after(random(3_000), this::loseReplies);
            case OUTAGES -> after(random(3_000), this::cutOffAll);
            case RELOADS -> after(random(1_000), () -> replace(random(2), 0));
            case OVERRIDES, OVERRIDES_AND_REFUNDS ->
                after(random(1_000), () -> replace(random(3), CallerLedger.RAISED_MILLIS));
            default -> {}
        }
    }

    /** Lets nothing new happen; what is cut off comes back. */
    public void end() {
        ended = true;
        fleet.instances.stream().filter(instance -> !instance.isDead()).forEach(instance -> instance.link.mend());
    }

    private void after(long millis, Runnable next) {
        fleet.loop.in(millis * SimulatedFleet.MILLI, () -> {
            if (!ended) {
                next.run();
            }
        });
    }

    private long random(long mostMillis) {
        return random.nextInt((int) mostMillis + 1);
    }

    private SimulatedInstance anyInstance() {
        return fleet.instances.get(random.nextInt(fleet.instances.size()));
    }

    private void stall() {
        long millis = SHORTEST_STALL_MILLIS + random(LONGEST_STALL_MILLIS - SHORTEST_STALL_MILLIS);
        long nanos = millis * SimulatedFleet.MILLI;
        SimulatedInstance victim = anyInstance();
        switch (random.nextInt(4)) {
            case 0 -> victim.stallLoop(nanos);
            case 1 -> victim.link.stall(nanos);
            case 2 -> { // then, any of its threads goes on first
                victim.stallLoop(nanos - random.nextInt((int) SimulatedFleet.MILLI));
                victim.link.stall(nanos - random.nextInt((int) SimulatedFleet.MILLI));
                victim.stallCalls(nanos - random.nextInt((int) SimulatedFleet.MILLI));
            }
            default -> fleet.stallStore(nanos);
        }
        after(millis + PEACE_MILLIS + random(PEACE_MILLIS), this::stall);
    }

    private void freeze() {
        long millis = 10_000 + random(LONGEST_FREEZE_MILLIS - 10_000);
        long nanos = millis * SimulatedFleet.MILLI;
        SimulatedInstance victim = anyInstance();
        victim.stallLoop(nanos + random(1) * SimulatedFleet.MILLI); // calls or the background may go on first
        victim.stallCalls(nanos);
        victim.link.stall(nanos);
        excuseUntil.accept(fleet.millis() + millis + 2_000);
        after(millis + 3_000 + random(10_000), this::freeze);
    }

    private void stepClock() {
        long most = random.nextBoolean() ? 300 : 3 * HOUR_MILLIS;
        anyInstance().clockAheadMillis += random(2 * most) - most;
        after(random(3_000), this::stepClock);
    }

    private void loseReplies() {
        SimulatedInstance victim = anyInstance();
        int[] pass = {1 + random.nextInt(3)}; // before they get lost too
        victim.link.lose(() -> --pass[0] < 0, () -> true);
        long millis = 55_000 + random(120_000);
        excuseUntil.accept(fleet.millis() + millis + 20_000);
        after(millis, () -> {
            victim.link.mend();
            after(random(20_000), this::loseReplies);
        });
    }

    private void cutOffAll() {
        List<SimulatedInstance> all = List.copyOf(fleet.instances);
        all.forEach(instance -> instance.link.cut());
        long millis = random(10_000);
        unavailableFor.accept(millis);
        after(millis, () -> {
            all.forEach(instance -> instance.link.mend());
            after(10_000 + random(5_000), this::cutOffAll);
        });
    }

    private void replace(long number, long leastPauseMillis) {
        Limits others = otherLimits.apply(number);
        for (SimulatedInstance instance : List.copyOf(fleet.instances)) {
            fleet.loop.in(random(FOLLOWED_MILLIS) * SimulatedFleet.MILLI, () -> instance.limiter.replace(others));
        }
        after(FOLLOWED_MILLIS + leastPauseMillis + random(1_000), () -> replace(random(3), leastPauseMillis));
    }
}
