package example;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.RetryInfo;
import dev.sluice.Decision;
import dev.sluice.RateLimiter;
import dev.sluice.Ticket;
import dev.sluice.http.Answers;
import io.grpc.Context;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;

/** Asks a limiter about each call of gRPC. Refused calls end with {@code RESOURCE_EXHAUSTED}. Thread-safe. */
final class RateLimitInterceptor implements ServerInterceptor {

    private static final int FAULT = HttpStatus.of(Status.Code.UNKNOWN);

    private final RateLimiter limiter;
    private final Executor executor;
    private final Answers answers;

    /** Services go on in this executor after a wait. It should be the server's, since services may block there. */
    RateLimitInterceptor(RateLimiter limiter, Executor executor) {
        this.limiter = limiter;
        this.executor = executor;
        this.answers = new Answers(limiter);
    }

    /**
     * {@code decide} would be allowed to block here, on the server's executor. But with {@code directExecutor()} that is the
     * event loop, a call in a queue would hold a thread for as long as it waits, and since events of a call come one after
     * the other, a waiting call would never hear that its caller has gone. {@code decideAsync} has none of this.
     */
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> service) {
        CompletableFuture<Decision> asked =
                limiter.decideAsync(new GrpcCall(call, metadata), executor).toCompletableFuture();
        if (asked.isDone()) {
            return begin(asked.join(), call, metadata, service);
        }
        ListenerToCome<Q> listener = new ListenerToCome<>(asked);
        Context context = Context.current();
        asked.whenComplete((decided, fault) -> context.run(() -> {
            Decision decision = fault == null ? decided : Decision.UNLIMITED; // the limiter's faults are not the caller's
            try {
                if (!asked.isCancelled()) {
                    listener.begin(() -> begin(decision, call, metadata, service));
                }
            } catch (RuntimeException | Error e) {
                call.close(Status.UNKNOWN.withCause(e), new Metadata()); // as gRPC does it otherwise
            }
        }));
        return listener;
    }

    private <Q, A> ServerCall.Listener<Q> begin(
            Decision decision, ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> service) {
        Answers.Answer answer = answers.to(decision, "/" + call.getMethodDescriptor().getFullMethodName());
        Metadata limits = new Metadata();
        answer.fields().forEach((name, value) -> {
            if (name.toLowerCase(Locale.ROOT).contains("ratelimit")) { // the others are HTTP's
                limits.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
            }
        });
        if (!decision.admitted()) {
            limits.merge(refusal(answer.fields().get("Retry-After")));
            call.close(Status.RESOURCE_EXHAUSTED.withDescription("rate limit exceeded"), limits);
            return new ServerCall.Listener<>() {};
        }
        Ticket ticket = decision.ticket();
        return serve(call, metadata, service, limits, ticket == null ? status -> {} : ticket::ended);
    }

    /** {@code google.rpc.Status} with a {@code RetryInfo}, unless no retry ever passes. */
    private static Metadata refusal(String retryAfterSeconds) {
        com.google.rpc.Status.Builder status = com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
                .setMessage("rate limit exceeded");
        if (retryAfterSeconds != null) {
            Duration delay = Duration.newBuilder().setSeconds(Long.parseLong(retryAfterSeconds)).build();
            status.addDetails(Any.pack(RetryInfo.newBuilder().setRetryDelay(delay).build()));
        }
        return StatusProto.toStatusRuntimeException(status.build()).getTrailers();
    }

    /** Only the first end counts, so it does not matter that most calls end twice here. */
    private static <Q, A> ServerCall.Listener<Q> serve(
            ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> service, Metadata limits, IntConsumer end) {
        ServerCall<Q, A> watched = new SimpleForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
                trailers.merge(limits);
                end.accept(HttpStatus.of(status.getCode())); // a caller who has read it finds the place free
                super.close(status, trailers);
            }
        };
        try {
            return new SimpleForwardingServerCallListener<>(service.startCall(watched, metadata)) {
                @Override
                public void onCancel() {
                    end.accept(Ticket.UNANSWERED);
                    super.onCancel();
                }

                @Override
                public void onComplete() {
                    end.accept(FAULT); // the service threw, and gRPC closed the call itself
                    super.onComplete();
                }
            };
        } catch (RuntimeException | Error e) {
            end.accept(FAULT);
            throw e;
        }
    }
}
