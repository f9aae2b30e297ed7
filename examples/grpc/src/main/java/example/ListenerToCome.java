package example;

import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Listens to a call while its decision is pending, and passes on what it has heard as soon as the service listens. Events
 * come one after the other, so the lock is only ever contended at the moment of the decision. Thread-safe.
 */
final class ListenerToCome<Q> extends ServerCall.Listener<Q> {

    private final Future<?> decision;
    private final List<Consumer<ServerCall.Listener<Q>>> heard = new ArrayList<>();
    private ServerCall.Listener<Q> service;

    ListenerToCome(Future<?> decision) {
        this.decision = decision;
    }

    synchronized void begin(Supplier<ServerCall.Listener<Q>> start) {
        service = start.get();
        heard.forEach(event -> event.accept(service));
    }

    private synchronized void pass(Consumer<ServerCall.Listener<Q>> event) {
        if (service == null) {
            heard.add(event);
        } else {
            event.accept(service);
        }
    }

    /** A caller who has gone waits no longer: the limiter takes back what the call took. */
    @Override
    public void onCancel() {
        decision.cancel(false);
        pass(ServerCall.Listener::onCancel);
    }

    @Override
    public void onMessage(Q message) {
        pass(listener -> listener.onMessage(message));
    }

    @Override
    public void onHalfClose() {
        pass(ServerCall.Listener::onHalfClose);
    }

    @Override
    public void onComplete() {
        pass(ServerCall.Listener::onComplete);
    }

    @Override
    public void onReady() {
        pass(ServerCall.Listener::onReady);
    }
}
