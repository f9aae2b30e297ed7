package dev.sluice.benchmarks.fleet.rig;

import java.util.List;
import java.util.stream.IntStream;

/** The instances of one contestant that enforce one rule, with a separate Redis server. */
public final class Fleet implements AutoCloseable {

    private final Contestant contestant;
    private final Redis redis;
    private final List<Instance> instances;

    public Fleet(Contestant contestant, Rule rule, int size) {
        this.contestant = contestant;
        this.redis = Redis.open();
        this.instances = IntStream.range(0, size)
                .mapToObj(i -> contestant.opener().apply(redis.uri(), rule))
                .toList();
    }

    public Contestant contestant() {
        return contestant;
    }

    public List<Instance> instances() {
        return instances;
    }

    /** The statistics of the fleet's Redis server so far. */
    public Usage usage() {
        return redis.usage();
    }

    /** The memory that the fleet's Redis server uses for data and connections, in bytes. */
    public long redisBytes() {
        return redis.bytes();
    }

    public String redisVersion() {
        return redis.version();
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        redis.close();
    }
}
