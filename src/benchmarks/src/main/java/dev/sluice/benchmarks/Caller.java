package dev.sluice.benchmarks;

import dev.sluice.Call;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes the calls of one thread, one after the other. Each call has a path and a tenant. The tenant's name is either in
 * a header or is the caller's address. Each access to the tenant's name returns a new string, as it would in a server.
 * Not thread-safe.
 */
final class Caller implements Call {

    private static final int PIECE_BITS = 6;

    private final Tenants tenants;
    private final boolean byAddress;
    private final String[] paths;
    /**
     * Each thread reads the sequence of calls in chunks, and in its own chunk order. If two threads used the same
     * order, the faster thread would catch up with the slower one and stay in step with it. Both threads would then
     * always make calls for the same tenant at the same time, which does not happen in a real service.
     */
    private final int stride = ThreadLocalRandom.current().nextInt(1 << 16) | 1;

    private int number = ThreadLocalRandom.current().nextInt(1 << 16);
    private int tenant;
    private String path;

    /**
     * Creates a caller. Each tenant always calls the same path, so there is one counter per tenant, regardless of the
     * number of paths.
     */
    private Caller(Tenants tenants, boolean byAddress, String... paths) {
        this.tenants = tenants;
        this.byAddress = byAddress;
        this.paths = paths.length == 1 ? paths : eachFor(tenants, paths);
        next();
    }

    private static String[] eachFor(Tenants tenants, String... paths) {
        String[] all = new String[tenants.count()];
        Arrays.setAll(all, i -> paths[i % paths.length]);
        return all;
    }

    static Caller byHeader(Tenants tenants, String... paths) {
        return new Caller(tenants, false, paths);
    }

    static Caller byAddress(Tenants tenants, String... paths) {
        return new Caller(tenants, true, paths);
    }

    /** Moves on to the next call. */
    Caller next() {
        int piece = number >>> PIECE_BITS;
        int next = tenants.caller(piece * stride << PIECE_BITS | number & (1 << PIECE_BITS) - 1);
        number++;
        return turn(next);
    }

    /** Moves on to the given tenant's call. */
    Caller turn(int to) {
        tenant = to;
        path = paths[paths.length == 1 ? 0 : tenant];
        return this;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public String ip() {
        return byAddress ? tenants.name(tenant) : "203.0.113.1";
    }

    @Override
    public String header(String name) {
        return byAddress ? null : tenants.name(tenant);
    }
}
