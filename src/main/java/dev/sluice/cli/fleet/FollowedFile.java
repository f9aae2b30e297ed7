package dev.sluice.cli.fleet;

import dev.sluice.Endpoint;
import dev.sluice.cli.text.CountText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Limits;
import java.util.List;
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

    /** Its name; and on how many instances it is in force, if others have another file. */
    public String among(List<FollowedFile> all) {
        return SafeText.cut(name, 200) + (all.size() == 1 ? "" : ", on " + CountText.of(instances, "instance"));
    }
}
