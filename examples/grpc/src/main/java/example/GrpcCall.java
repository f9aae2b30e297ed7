package example;

import dev.sluice.Call;
import dev.sluice.Ticket;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** A call of gRPC as limits see it: {@code POST}, the full name of the method as path, metadata as headers. */
record GrpcCall(ServerCall<?, ?> call, Metadata metadata) implements Call {

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return "/" + call.getMethodDescriptor().getFullMethodName();
    }

    /** Empty where there is no address, as in the process: such callers are counted together. */
    @Override
    public String ip() {
        SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
        return peer instanceof InetSocketAddress socket ? socket.getAddress().getHostAddress() : "";
    }

    @Override
    public String header(String name) {
        return name.endsWith(Metadata.BINARY_HEADER_SUFFIX) // those are bytes
                ? null
                : metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
    }

    /** The executor of the server waits, so a file's {@code waitingThreads} bounds how many calls wait. */
    @Override
    public boolean holdsThread() {
        return true;
    }

    /** The HTTP status that a code stands for, much as google/rpc/code.proto has it; limits count by these. */
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
