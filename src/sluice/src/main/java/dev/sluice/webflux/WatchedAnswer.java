package dev.sluice.webflux;

import dev.sluice.Ticket;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.ErrorResponse;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/**
 * The response of an exchange. If the complete body is in memory, the exchange ends just before the body is written. If
 * it ended later, a caller that reads the body and immediately calls again over a second connection might find its slot
 * still occupied. A streamed exchange ends when the server reports the end of the response.
 */
final class WatchedAnswer extends ServerHttpResponseDecorator {

    private static final int OK = 200;
    private static final int FAULT = 500;

    private final ExchangeInFlight inFlight;

    WatchedAnswer(ServerHttpResponse response, ExchangeInFlight inFlight) {
        super(response);
        this.inFlight = inFlight;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return super.writeWith(
                body instanceof Mono<? extends DataBuffer> whole ? whole.doOnSuccess(any -> end()) : body);
    }

    @Override
    public Mono<Void> setComplete() {
        if (!isCommitted()) {
            end();
        }
        return super.setComplete();
    }

    private void end() {
        inFlight.end(statusAt(SignalType.ON_COMPLETE, this, null));
    }

    /**
     * The response status when the exchange ends.
     *
     * @param fault the error that ended the exchange; {@code null} if there was none or it has been converted into a
     *     response
     */
    static int statusAt(SignalType signal, ServerHttpResponse response, @Nullable Throwable fault) {
        HttpStatusCode status = response.getStatusCode();
        if (response.isCommitted() || signal == SignalType.ON_COMPLETE) {
            return status == null ? OK : status.value();
        }
        if (signal == SignalType.CANCEL) {
            return Ticket.UNANSWERED;
        }
        return fault instanceof ErrorResponse known ? known.getStatusCode().value() : FAULT;
    }
}
