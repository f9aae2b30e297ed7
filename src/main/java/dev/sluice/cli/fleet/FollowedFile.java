package dev.sluice.cli.fleet;

import dev.sluice.Endpoint;
import dev.sluice.limits.Limits;
import java.util.Optional;

/**
 * What a file says, as somebody goes by it.
 *
 * @param file its name
 * @param limits what it says
 * @param instances how many instances go by it; 0 if it was read here
 */
public record FollowedFile(String file, Limits limits, int instances) {

    public Optional<Endpoint> endpoint(String id) {
        return limits.endpoints().stream()
                .filter(endpoint -> endpoint.id().equals(id))
                .findFirst();
    }
}
