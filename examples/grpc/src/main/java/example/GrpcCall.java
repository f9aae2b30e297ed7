package example;

import dev.sluice.Call;
import dev.sluice.Ticket;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * A gRPC call as limits see it. The method is {@code POST}, the path is the full method name, and metadata are headers.
 */
record GrpcCall(ServerCall<?, ?> call, Metadata metadata) implements Call {

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return "/" + call.getMethodDescriptor().getFullMethodName();
    }

    /** The address; empty for callers in the same process, which are counted together. */
    @Override
    public String ip() {
        SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        return peer instanceof InetSocketAddress socket ? socket.getAddress().getHostAddress() : "";
    }

    @Override
    public String header(String name) {
        return name.endsWith(Metadata.BINARY_HEADER_SUFFIX) // binary values
                ? null
                : metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }

    /**
     * Calls are queued on the threads of the server's executor, so {@code pendingCalls} in the file bounds their
     * number.
     */
    @Override
    public boolean holdsThread() {
        return true;
    }

    /** The HTTP status for a gRPC code, mostly as in google/rpc/code.proto. Limits count calls by these statuses. */
    static int httpStatus(Status.Code code) {
        return switch (code) {
            case OK -> 200;
            case UNAUTHENTICATED -> 401;
            case PERMISSION_DENIED -> 403;
            case NOT_FOUND -> 404;
            case INVALID_ARGUMENT, FAILED_PRECONDITION, OUT_OF_RANGE, ALREADY_EXISTS, ABORTED -> 400;
            case RESOURCE_EXHAUSTED -> 429;
            case CANCELLED -> Ticket.UNANSWERED;
            default -> 500;
        };
    }
}
