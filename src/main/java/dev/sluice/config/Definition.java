package dev.sluice.config;

import dev.sluice.Endpoint;

/** An endpoint as the file defines it, enabled or not, and its place. */
record Definition(Endpoint endpoint, boolean enabled, FilePosition position) {

    /** What it says, whatever its id. */
    Endpoint anonymous() {
        return new Endpoint(
                "",
                endpoint.methods(),
                endpoint.pathPattern(),
                endpoint.per(),
                endpoint.mode(),
                endpoint.when(),
                endpoint.countedStatuses(),
                endpoint.cost(),
                endpoint.tiers());
    }
}
