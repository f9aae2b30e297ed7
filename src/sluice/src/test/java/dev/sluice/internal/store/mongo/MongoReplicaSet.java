package dev.sluice.internal.store.mongo;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.sluice.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.bson.Document;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A real MongoDB of three members, which needs Docker. All of them are in one container, and have the same ports inside
 * and outside, so that they and the driver know each other by the same names.
 */
final class MongoReplicaSet implements AutoCloseable {

    private static final DockerImageName IMAGE = DockerImageName.parse("mongo:8.0");
    private static final int MEMBERS = 3;

    private final List<Integer> ports = freePorts();
    private final GenericContainer<?> container = new GenericContainer<>(IMAGE);

    private MongoReplicaSet() {
        container.setPortBindings(ports.stream().map(port -> port + ":" + port).toList());
        container
                .withCommand("sh", "-c", start())
                .waitingFor(Wait.forSuccessfulCommand(ports.stream()
                        .map(port -> "mongosh --quiet --port " + port + " --eval 1")
                        .collect(Collectors.joining(" && "))));
        container.start();
        try (MongoClient first =
                MongoClients.create("mongodb://127.0.0.1:" + ports.get(0) + "/?directConnection=true")) {
            Document unused = first.getDatabase("admin").runCommand(new Document("replSetInitiate", members()));
        }
        Eventually.await("a primary", () -> {
            try (MongoClient all = MongoClients.create(uri() + "&serverSelectionTimeoutMS=500")) {
                return all.getDatabase("admin")
                        .runCommand(new Document("hello", 1))
                        .getBoolean("isWritablePrimary");
            } catch (RuntimeException e) {
                return false;
            }
        });
    }

    /** Opens one, or skips the test where no Docker engine answers. */
    static MongoReplicaSet open() {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker engine answers here");
        return new MongoReplicaSet();
    }

    private String start() {
        String all = ports.stream().map(String::valueOf).collect(Collectors.joining(" "));
        return "for p in " + all
                + "; do mkdir -p /data/$p; mongod --replSet rs0 --bind_ip_all --port $p --dbpath /data/$p"
                + " --fork --logpath /data/$p.log; done; sleep 86400";
    }

    private Document members() {
        List<Document> members = new ArrayList<>();
        for (int port : ports) {
            members.add(new Document("_id", members.size()).append("host", "127.0.0.1:" + port));
        }
        return new Document("_id", "rs0").append("members", members);
    }

    String uri() {
        return "mongodb://" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","))
                + "/?replicaSet=rs0";
    }

    /** Makes the primary a secondary, so that the members elect another one. */
    void stepDown() {
        try (MongoClient client = MongoClients.create(uri())) {
            Document unused = client.getDatabase("admin")
                    .runCommand(new Document("replSetStepDown", 10).append("secondaryCatchUpPeriodSecs", 5));
        }
    }

    private static List<Integer> freePorts() {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < MEMBERS; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            List<Integer> ports =
                    sockets.stream().map(ServerSocket::getLocalPort).toList();
            for (ServerSocket socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        container.stop();
    }
}
