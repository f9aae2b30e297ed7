package dev.sluice.internal.limiter.simulation;

import dev.sluice.CounterKey;
import dev.sluice.exchange.Batch;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The connection from one instance to the store of a {@link SimulatedFleet}. It takes time, and can be cut in either
 * direction.
 */
public final class SimulatedLink implements CounterStore {

    /** The use that the store received in all, each batch once. */
    public final Map<CounterKey, Long> told = new HashMap<>();
    /** What the store counts as used here in all, with what waiting calls used as soon as it was granted. */
    public final Map<CounterKey, Long> counted = new HashMap<>();
    /** What the store counts as held here. */
    public final Map<CounterKey, Long> held = new HashMap<>();

    /** How long the next exchange over this link is in flight, half of it to the store. */
    public LongSupplier roundTripNanos;

    private final SimulatedFleet fleet;
    private final SimulatedInstance instance;
    private BooleanSupplier losesBatch = () -> false;
    private BooleanSupplier losesReply = () -> false;
    private long appliedSequence;
    private long stalledUntilNanos;
    /** When the latest news arrive; one never overtakes another. */
    private long newsNanos;

    SimulatedLink(SimulatedFleet fleet, SimulatedInstance instance) {
        this.fleet = fleet;
        this.instance = instance;
        this.roundTripNanos = () -> fleet.roundTripNanos.getAsLong();
    }

    /** Loses all batches and replies. */
    public void cut() {
        lose(() -> true, () -> true);
    }

    /** Loses some batches and some replies from now on. */
    public void lose(BooleanSupplier batches, BooleanSupplier replies) {
        losesBatch = batches;
        losesReply = replies;
    }

    /** Loses nothing any more. */
    public void mend() {
        lose(() -> false, () -> false);
    }

    /** Lets the thread of the store's client stand still for so long: it neither sends nor receives. */
    public void stall(long nanos) {
        stalledUntilNanos = Math.max(stalledUntilNanos, fleet.loop.nanos() + nanos);
    }

    /** Runs something on the thread of the store's client, in its turn. */
    private void onClientThread(Runnable task) {
        fleet.loop.onceAt(() -> stalledUntilNanos, task);
    }

    @Override
    public void behindAnswers(Runnable task) {
        fleet.loop.in(0, () -> onClientThread(task));
    }

    @Override
    public CompletionStage<Batch.Reply> exchange(Batch batch) {
        CompletableFuture<Batch.Reply> answer = new CompletableFuture<>();
        fleet.observer.sent(instance, batch);
        onClientThread(() -> send(batch, answer));
        return answer;
    }

    private void send(Batch batch, CompletableFuture<Batch.Reply> answer) {
        long halfWay = roundTripNanos.getAsLong() / 2;
        if (losesBatch.getAsBoolean()) {
            fleet.observer.lost(instance);
            fleet.loop.in(2 * halfWay, () -> onClientThread(() -> fail(answer)));
            return;
        }
        fleet.loop.in(
                halfWay,
                () -> fleet.atStore(() -> {
                    CompletableFuture<Batch.Reply> reply =
                            fleet.store.exchange(batch).toCompletableFuture();
                    arrived(batch, reply);
                    fleet.loop.in(halfWay, () -> onClientThread(() -> deliver(reply, answer)));
                }));
    }

    private void arrived(Batch batch, CompletableFuture<Batch.Reply> reply) {
        if (reply.isCompletedExceptionally()) {
            return;
        }
        fleet.traffic.exchanged(batch, reply.join());
        fleet.observer.arrived(instance, batch, reply.join());
        if (batch.sequence() > appliedSequence) {
            appliedSequence = batch.sequence();
            for (int i = 0; i < batch.statements().size(); i++) {
                Batch.Statement statement = batch.statements().get(i);
                long granted = reply.join().grants().get(i).granted();
                long atOnce = statement.needed().usedOf(granted);
                told.merge(statement.key(), statement.used(), Long::sum);
                counted.merge(statement.key(), statement.used() + atOnce, Long::sum);
                held.put(statement.key(), statement.held() + granted - atOnce);
            }
        }
    }

    private void deliver(CompletableFuture<Batch.Reply> reply, CompletableFuture<Batch.Reply> answer) {
        if (losesReply.getAsBoolean()) {
            fleet.observer.lost(instance);
            fail(answer);
            return;
        }
        var unused = reply.whenComplete((told, failure) -> {
            if (failure == null) {
                answer.complete(told);
            } else {
                answer.completeExceptionally(failure);
            }
        });
    }

    private static void fail(CompletableFuture<Batch.Reply> answer) {
        answer.completeExceptionally(StoreException.unavailable("the link is cut", null));
    }

    @Override
    public void subscribe(String instance, Consumer<News> listener) {
        if (fleet.pushes) {
            fleet.store.subscribe(instance, news -> {
                fleet.traffic.pushed(news);
                fleet.observer.told(this.instance, news);
                newsNanos = Math.max(newsNanos, fleet.loop.nanos() + roundTripNanos.getAsLong() / 2);
                fleet.loop.at(
                        newsNanos,
                        () -> onClientThread(() -> {
                            if (losesReply.getAsBoolean()) {
                                fleet.observer.undelivered(this.instance, news);
                            } else {
                                fleet.observer.delivered(this.instance, news);
                                listener.accept(news);
                            }
                        }));
            });
        }
    }

    @Override
    public void close() {}
}
