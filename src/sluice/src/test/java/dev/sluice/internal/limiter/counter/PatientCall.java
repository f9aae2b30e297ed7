package dev.sluice.internal.limiter.counter;

import dev.sluice.internal.limiter.counter.PendingCall.Surroundings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Makes calls that wait as long as a test likes. */
public final class PatientCall {

    private PatientCall() {}

    /** A call that stands nowhere yet. */
    public static PendingCall of(
            Supplier<List<Shortage>> attempt, LongSupplier nanos, long arrivalNanos, Consumer<Pool> requestCheck) {
        Surroundings around = new Surroundings(nanos, PendingPolicy.NONE, requestCheck, () -> {});
        return new PendingCall(attempt, around, arrivalNanos, Long.MAX_VALUE / 2, 0, Long.MAX_VALUE / 2);
    }
}
