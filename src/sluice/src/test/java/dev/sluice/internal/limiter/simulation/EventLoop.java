package dev.sluice.internal.limiter.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Virtual time: a queue of events, run one after the other. An event may wait for something that a later event brings.
 * Its thread is then put aside, and another one goes on with the queue. Only one thread runs at a time, so the same
 * events always run in the same order.
 */
public final class EventLoop {

    /** More would mean that they bring about each other, and time stands still. */
    private static final int MOST_EVENTS_AT_ONE_MOMENT = 100_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.nanos != b.nanos ? Long.compare(a.nanos, b.nanos) : Long.compare(a.order, b.order));
    private final Deque<Worker> idle = new ArrayDeque<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private CountDownLatch end = new CountDownLatch(1);
    private long nanos;
    private long untilNanos;
    private long order;
    private int eventsNow;
    private boolean stopped;

    /** An action at one moment. */
    private record Event(long nanos, long order, Runnable action) {}

    public EventLoop(long startNanos) {
        this.nanos = startNanos;
    }

    /** The time. */
    public long nanos() {
        return nanos;
    }

    public long millis() {
        return nanos / 1_000_000;
    }

    /** Schedules an action for that moment, or for now if that is past. */
    public void at(long when, Runnable action) {
        events.add(new Event(Math.max(when, nanos), order++, action));
    }

    /** Schedules an action for so much later. */
    public void in(long laterNanos, Runnable action) {
        at(nanos + laterNanos, action);
    }

    /** Runs an action within an event now, or later if a moment that may be put off has not come. */
    public void onceAt(LongSupplier when, Runnable action) {
        if (nanos < when.getAsLong()) {
            at(when.getAsLong(), () -> onceAt(when, action));
        } else {
            action.run();
        }
    }

    /** Runs all events up to that moment. */
    public void runUntil(long when) {
        untilNanos = when;
        end = new CountDownLatch(1);
        resumeAnother();
        try {
            end.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        nanos = when;
        if (failure.get() != null) {
            throw new AssertionError("an event failed", failure.get());
        }
    }

    /** Waits, within an event, until the future is complete, or at most so long. */
    public void await(CompletableFuture<?> future, long atMostNanos) {
        if (future.isDone()) {
            return;
        }
        Worker me = (Worker) Thread.currentThread();
        boolean[] resumed = {false};
        Runnable resume = () -> {
            if (!resumed[0]) {
                resumed[0] = true;
                handOver(me.baton::release);
            }
        };
        var unused = future.whenComplete((done, failed) -> at(nanos, resume));
        in(atMostNanos, resume);
        resumeAnother();
        me.baton.acquireUninterruptibly();
    }

    /** Lets another thread go on, and puts this one aside until it is needed. */
    private void handOver(Runnable toOther) {
        Worker me = (Worker) Thread.currentThread();
        idle.push(me); // before the other one runs, which may look for it
        toOther.run();
        me.baton.acquireUninterruptibly();
    }

    private void resumeAnother() {
        Worker next = idle.poll();
        if (next == null) {
            new Worker().start();
        } else {
            next.baton.release();
        }
    }

    /** Ends all threads. */
    public void stop() {
        stopped = true;
        for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) {
            worker.baton.release();
        }
    }

    /** A thread that runs events while it has the baton. */
    private final class Worker extends Thread {
        private final Semaphore baton = new Semaphore(0);

        Worker() {
            super("event-loop");
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!stopped) {
                Event next = events.peek();
                if (next == null || next.nanos > untilNanos || failure.get() != null) {
                    handOver(end::countDown);
                    continue;
                }
                events.remove();
                eventsNow = nanos == next.nanos ? eventsNow + 1 : 0;
                nanos = next.nanos;
                try {
                    if (eventsNow > MOST_EVENTS_AT_ONE_MOMENT) {
                        throw new IllegalStateException("time stands still");
                    }
                    next.action.run();
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                }
            }
        }
    }
}
