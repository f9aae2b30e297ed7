package dev.sluice.cli.fleet;

import dev.sluice.Endpoint;
import dev.sluice.limits.Limits;
import java.util.Optional;

/**
 * The limits of a file, and how many instances have it in force.
 *
 * @param name of the file
 * @param limits what it says
 * @param instances with this file in force; 0 if it was read here
 */
public record FollowedFile(String name, Limits limits, int instances) {

    public Optional<Endpoint> endpoint(String id) {
        return limits.endpoints().stream()
                .filter(endpoint -> endpoint.id().equals(id))
                .findFirst();
    }
}
