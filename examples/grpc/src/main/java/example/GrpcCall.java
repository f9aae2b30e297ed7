package example;

import dev.sluice.Call;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

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
        List<String> values = headers(name);
        return values.isEmpty() ? null : values.get(0);
    }

    @Override
    public List<String> headers(String name) {
        List<String> values = new ArrayList<>();
        if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) { // those are bytes
            Iterable<String> sent = metadata.getAll(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
            if (sent != null) {
                sent.forEach(values::add);
            }
        }
        return values;
    }
}
