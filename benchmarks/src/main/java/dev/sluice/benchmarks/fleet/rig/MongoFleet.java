package dev.sluice.benchmarks.fleet.rig;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.sluice.store.CounterStores;
import dev.sluice.store.mongo.MongoCounterStore;
import dev.sluice.store.mongo.link.OperationCounts;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sluice's instances that enforce one rule, and a MongoDB in this process that is theirs alone: the driver and what it
 * sends are real, the server is mongo-java-server.
 */
public final class MongoFleet implements AutoCloseable {

    private final MongoServer server = new MongoServer(new MemoryBackend());
    private final List<MongoCounterStore> stores;
    private final List<Instance> instances;

    public MongoFleet(Rule rule, int size) {
        InetSocketAddress place = server.bind();
        String uri = "mongodb://127.0.0.1:" + place.getPort();
        this.stores = IntStream.range(0, size)
                .mapToObj(i -> (MongoCounterStore) CounterStores.open(uri))
                .toList();
        this.instances =
                stores.stream().map(store -> SluiceLimiter.on(uri, store, rule)).toList();
    }

    public List<Instance> instances() {
        return instances;
    }

    /** What counting has cost so far, all instances together. */
    public OperationCounts.Sums usage() {
        return stores.stream()
                .map(MongoCounterStore::operations)
                .reduce(
                        new OperationCounts.Sums(0, 0, 0, 0, 0),
                        (one, other) -> new OperationCounts.Sums(
                                one.exchanges() + other.exchanges(),
                                one.roundTrips() + other.roundTrips(),
                                one.documentsWritten() + other.documentsWritten(),
                                one.conflicts() + other.conflicts(),
                                one.newsQuestions() + other.newsQuestions()));
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        server.shutdownNow();
    }
}
