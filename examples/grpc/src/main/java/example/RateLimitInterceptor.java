package example;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.RetryInfo;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import dev.sluice.http.Answers;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.Locale;
import java.util.Map;

/** Asks a limiter about each gRPC call. Ends refused calls with {@code RESOURCE_EXHAUSTED}. Thread-safe. */
record RateLimitInterceptor(RateLimiter limiter, Answers answers) implements ServerInterceptor {

    private static final int FAULT = 500;
    private static final String REFUSED = "rate limit exceeded";

    /** A pending call blocks a thread of the server's executor. */
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> service) {
        GrpcCall asked = new GrpcCall(call, metadata);
        Decision decision = limiter.decide(asked).inTurn();
        Map<String, String> fields = answers.to(decision, asked.path()).fields();
        Metadata limits = new Metadata();
        fields.forEach((name, value) -> {
            if (name.toLowerCase(Locale.ROOT).contains("ratelimit")) { // the other fields have a meaning only in HTTP
                limits.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
            }
        });
        if (decision.admitted()) {
            return serve(call, metadata, service, limits, decision);
        }
        limits.merge(refusal(fields.get("Retry-After")));
        call.close(Status.RESOURCE_EXHAUSTED.withDescription(REFUSED), limits);
        return new ServerCall.Listener<>() {};
    }

    /** Trailers with a {@code google.rpc.Status}. It has a {@code RetryInfo}, unless no retry can ever pass. */
    private static Metadata refusal(String retryAfterSeconds) {
        var status = com.google.rpc.Status.newBuilder().setCode(8).setMessage(REFUSED);
        if (retryAfterSeconds != null) {
            var delay = Duration.newBuilder().setSeconds(Long.parseLong(retryAfterSeconds));
            status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
        }
        return StatusProto.toStatusRuntimeException(status.build()).getTrailers();
    }

    /**
     * Serves the call, and reports its end. Only the first report counts; most calls report twice here.
     */
    private static <Q, A> ServerCall.Listener<Q> serve(
            ServerCall<Q, A> call,
            Metadata metadata,
            ServerCallHandler<Q, A> service,
            Metadata limits,
            Decision decision) {
        ServerCall<Q, A> watched = new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                trailers.merge(limits);
                // Reported before the answer, so that the caller finds the slot free.
                decision.ended(GrpcCall.httpStatus(status.getCode()));
                super.close(status, trailers);
            }
        };
        try {
            return new SimpleForwardingServerCallListener<>(service.startCall(watched, metadata)) {
                @Override
                public void onCancel() {
                    decision.ended(Ticket.UNANSWERED);
                    super.onCancel();
                }

                @Override
                public void onComplete() {
                    decision.ended(FAULT); // the service threw, and gRPC closed the call itself
                    super.onComplete();
                }
            };
        } catch (RuntimeException | Error e) {
            decision.ended(FAULT);
            throw e;
        }
    }
}
