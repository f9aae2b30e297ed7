package dev.sluice.internal.limiter.simulation;

import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore.News;

/** Hears of each event in a {@link SimulatedFleet}, in order. */
public interface FleetObserver {

    /** Ignores all. */
    FleetObserver NONE = new FleetObserver() {};

    // ---- Calls

    /** A call was decided without waiting. */
    default void decidedAtOnce(SimulatedInstance instance, boolean isAdmitted) {}

    /** A call begins to wait. */
    default void waits(SimulatedInstance instance) {}

    /** A call that waited passes, or is refused. */
    default void waited(SimulatedInstance instance, boolean isAdmitted) {}

    // ---- Messages

    /** An instance sends a batch, perhaps again. */
    default void sent(SimulatedInstance instance, Batch batch) {}

    /** The batch in flight, or its answer, is lost. */
    default void lost(SimulatedInstance instance) {}

    /** The store tells an instance news, while it applies a batch of another one. */
    default void told(SimulatedInstance instance, News news) {}

    /** The store has answered a batch, which it has applied now or before. */
    default void arrived(SimulatedInstance instance, Batch batch, Batch.Reply reply) {}

    /** The instance has taken note of the answer to its last batch. */
    default void answered(SimulatedInstance instance) {}

    /** News reach an instance, whose background reads them in its next step. */
    default void delivered(SimulatedInstance instance, News news) {}

    /** News are lost. */
    default void undelivered(SimulatedInstance instance, News news) {}

    /** The background has read the next news {@link News.Kind#RECALLED}. */
    default void recalled(SimulatedInstance instance) {}

    // ---- Instances

    /** The background has ended a step. */
    default void stepped(SimulatedInstance instance) {}

    /** From now on, the store counts as unavailable. */
    default void storeIsUnavailable(SimulatedInstance instance) {}

    /** An instance ends without a last exchange. */
    default void died(SimulatedInstance instance) {}
}
