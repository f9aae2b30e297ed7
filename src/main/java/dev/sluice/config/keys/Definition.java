package dev.sluice.config.keys;

import dev.sluice.Endpoint;
import dev.sluice.config.yaml.FilePosition;

/** An endpoint as the file defines it, enabled or not, and its place. */
public record Definition(Endpoint endpoint, boolean enabled, FilePosition position) {

    /** What it says, whatever its id. */
    public Endpoint anonymous() {
        return new Endpoint(
                "",
                endpoint.methods(),
                endpoint.pathPattern(),
                endpoint.per(),
                endpoint.mode(),
                endpoint.when(),
                endpoint.countedStatuses(),
                endpoint.countsFailedLogins(),
                endpoint.cost(),
                endpoint.tiers());
    }
}
