package dev.sluice.internal.config.keys;

import dev.sluice.Endpoint;
import dev.sluice.internal.config.yaml.FilePosition;

/** An endpoint, enabled or disabled, with its position in the file. */
public record PositionedEndpoint(Endpoint endpoint, boolean enabled, FilePosition position) {

    /**
     * Returns the endpoint with an empty id and sorted patterns. If two endpoints are equal in this form, they differ
     * only in their ids and the order of their patterns.
     */
    public Endpoint withoutId() {
        return new Endpoint(
                "",
                endpoint.methods(),
                endpoint.pathPatterns().stream().sorted().toList(),
                endpoint.except().stream().sorted().toList(),
                endpoint.on(),
                endpoint.per(),
                endpoint.mode(),
                endpoint.when(),
                endpoint.countedStatuses(),
                endpoint.countsFailedLogins(),
                endpoint.cost(),
                endpoint.headers(),
                endpoint.tiers());
    }
}
