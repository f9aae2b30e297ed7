package example;

import dev.sluice.http.Answers;
import dev.sluice.open.Sluice;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A shop whose messages are plain texts, so that the example needs no generated code. Its services contain no code for
 * limits.
 */
final class Shop implements AutoCloseable {

    private static final MethodDescriptor.Marshaller<String> TEXT = new MethodDescriptor.Marshaller<>() {

        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream bytes) {
            try {
                return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    static final MethodDescriptor<String, String> GET_PRODUCT = method("GetProduct", MethodDescriptor.MethodType.UNARY);
    static final MethodDescriptor<String, String> BUY = method("Buy", MethodDescriptor.MethodType.UNARY);
    static final MethodDescriptor<String, String> QUICK_REPORT =
            method("QuickReport", MethodDescriptor.MethodType.UNARY);
    static final MethodDescriptor<String, String> WATCH = method("Watch", MethodDescriptor.MethodType.SERVER_STREAMING);

    private final Sluice limits;
    private final ExecutorService executor = Executors.newCachedThreadPool();
    private final Server server;

    Shop(int port) throws IOException {
        limits = Sluice.open("classpath:rate-limits.yml");
        ServerServiceDefinition services = ServerServiceDefinition.builder("shop.Shop")
                .addMethod(GET_PRODUCT, ServerCalls.asyncUnaryCall(Shop::product))
                .addMethod(BUY, ServerCalls.asyncUnaryCall(Shop::buy))
                .addMethod(QUICK_REPORT, ServerCalls.asyncUnaryCall(Shop::product))
                .addMethod(
                        WATCH, ServerCalls.asyncServerStreamingCall((id, answers) -> answers.onNext("watching " + id)))
                .build();
        server = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", port), InsecureServerCredentials.create())
                .executor(executor)
                .addService(services)
                .intercept(new RateLimitInterceptor(limits, new Answers(limits)))
                .build()
                .start();
    }

    private static void product(String id, StreamObserver<String> answers) {
        answers.onNext("This is product " + id + ".");
        answers.onCompleted();
    }

    private static void buy(String id, StreamObserver<String> answers) {
        switch (id) {
            case "unknown" -> answers.onError(Status.NOT_FOUND.asRuntimeException());
            case "broken" -> throw new IllegalStateException("the till is broken");
            default -> product(id, answers);
        }
    }

    int port() {
        return server.getPort();
    }

    @Override
    public void close() throws InterruptedException {
        server.shutdownNow().awaitTermination();
        limits.close();
        executor.shutdown();
    }

    /** Serves the shop, and calls it six times. */
    public static void main(String[] arguments) throws Exception {
        try (Shop shop = new Shop(0)) {
            ManagedChannel channel = Grpc.newChannelBuilder(
                            "127.0.0.1:" + shop.port(), InsecureChannelCredentials.create())
                    .build();
            for (int call = 1; call <= 6; call++) {
                System.out.println(call + ": " + answer(channel));
            }
            channel.shutdownNow();
        }
    }

    private static String answer(Channel channel) {
        try {
            return ClientCalls.blockingUnaryCall(channel, GET_PRODUCT, CallOptions.DEFAULT, "42");
        } catch (StatusRuntimeException e) {
            return e.getMessage();
        }
    }

    private static MethodDescriptor<String, String> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<String, String>newBuilder(TEXT, TEXT)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("shop.Shop", name))
                .setType(type)
                .build();
    }
}
