package dev.sluice.page;

import dev.sluice.TestCall;
import dev.sluice.limits.ClientOverrideSource.Overrides;

/** The events of a {@link Scene}: the limits of a service, and its callers. */
interface Play {

    /** The name of the instance. */
    String SERVER = "shop-7f9c4";

    /** A template of the file, for the threshold of searches and the client whose limits are doubled. */
    String LIMITS = """
            reload: 100ms
            trustedProxies: [ 127.0.0.0/8 ]
            endpoints:
              - id: get-product
                methods: [ GET ]
                pathPattern: /product/*
                tiers:
                  - { period: 10s, threshold: 200 }
                  - { period: 1h, threshold: 50000 }
              - id: create-order
                methods: [ POST ]
                pathPattern: /orders
                tiers: [ { period: 1m, threshold: 240, algorithm: token-bucket, burst: 60 } ]
              - id: login
                methods: [ POST ]
                pathPattern: /login
                per: [ ip ]
                tiers: [ { period: 1m, threshold: 10 } ]
              - id: search
                pathPattern: /search
                mode: dry-run
                tiers: [ { period: 10s, threshold: %2$d } ]
              - id: export
                pathPattern: /export
                cost: "header:X-Rows"
                tiers: [ { period: 1d, threshold: 400000 } ]
            clients:
              - { tenant: %1$s, name: %1$s Ltd, multiply: 2 }
            """;

    /** The file of a shop. */
    static String limits(int searches, String doubled) {
        return LIMITS.formatted(doubled, searches);
    }

    /** The file of limits. */
    String limits();

    /** The limits that were set outside the file. */
    Overrides setOutside();

    /** Makes the calls of half a second, the given number of seconds before now. */
    void step(double ago, Calls calls);

    /** Makes calls. */
    interface Calls {

        /** Makes the given number of calls, or about as many. */
        void make(double times, TestCall call);
    }
}
