package dev.sluice.store;

import dev.sluice.store.redis.limits.RedisOverrideSource;
import dev.sluice.store.redis.link.RedisAddress;
import dev.sluice.store.redis.link.RedisLink;
import dev.sluice.store.redis.operator.RedisCounters;
import dev.sluice.store.redis.operator.RedisInstances;

/** A store as people see it who look after a service: the limits set there, the instances, and the counters. */
public final class OperatedStore implements AutoCloseable {

    private final RedisAddress address;
    private final RedisOverrideSource limits;
    private final RedisInstances instances;
    private final RedisCounters counters;

    private OperatedStore(RedisAddress address) {
        this.address = address;
        RedisLink link = RedisLink.open(address);
        this.limits = new RedisOverrideSource(link);
        this.instances = new RedisInstances(link.share());
        this.counters = new RedisCounters(link.share());
    }

    /**
     * Opens it. Returns at once; connections are made in the background, now and whenever one is lost.
     *
     * @throws IllegalArgumentException if the uri is not understood, or names no Redis; the message shows no password
     * @throws IllegalStateException if the library that the store needs is not on the class path; the message names it
     */
    public static OperatedStore open(String uri) {
        RedisAddress address = OverrideSources.address(uri);
        try {
            return new OperatedStore(address);
        } catch (NoClassDefFoundError e) {
            throw CounterStores.withoutLettuce(address, e);
        }
    }

    /** The uri without a password, fit for people. */
    public String name() {
        return address.toString();
    }

    public RedisOverrideSource limits() {
        return limits;
    }

    public RedisInstances instances() {
        return instances;
    }

    public RedisCounters counters() {
        return counters;
    }

    @Override
    public void close() {
        counters.close();
        instances.close();
        limits.close();
    }
}
