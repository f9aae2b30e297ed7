package dev.sluice.internal.limiter.counter;

import dev.sluice.internal.limiter.counter.WaitingCall.Surroundings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Makes calls that wait as long as a test likes. */
public final class PatientCall {

    private PatientCall() {}

    /** A call that stands nowhere yet. */
    public static WaitingCall of(
            Supplier<List<Shortage>> attempt, LongSupplier nanos, long arrivalNanos, Consumer<Pool> requestCheck) {
        Surroundings around = new Surroundings(nanos, ThreadWait.NONE, requestCheck, () -> {});
        return new WaitingCall(attempt, around, arrivalNanos, Long.MAX_VALUE / 2, 0, Long.MAX_VALUE / 2);
    }
}
