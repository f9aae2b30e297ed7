package dev.sluice.benchmarks.fleet.rig;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import dev.sluice.internal.store.CounterStores;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * Sluice instances that enforce one rule, with a separate MongoDB server in this process. The driver and its requests
 * are real, but the server is mongo-java-server.
 */
public final class MongoFleet implements AutoCloseable {

    private final AtomicReference<StoreUse> use = new AtomicReference<>(StoreUse.NONE);
    private final MongoServer server = new MongoServer(new CountingBackend());
    private final List<Instance> instances;

    public MongoFleet(Rule rule, int size) {
        InetSocketAddress place = server.bind();
        String uri = "mongodb://127.0.0.1:" + place.getPort();
        this.instances = IntStream.range(0, size)
                .mapToObj(i -> SluiceLimiter.on(uri, CounterStores.open(uri), rule))
                .toList();
    }

    /** A backend that counts the commands that it runs. */
    private final class CountingBackend extends MemoryBackend {

        @Override
        public Document handleCommand(Channel channel, String database, String command, Document query) {
            Document answer = super.handleCommand(channel, database, command, query);
            use.updateAndGet(before -> before.with(command, query, answer));
            return answer;
        }
    }

    public List<Instance> instances() {
        return instances;
    }

    /** The total number of requests by all instances so far. */
    public StoreUse use() {
        return use.get();
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        server.shutdownNow();
    }
}
