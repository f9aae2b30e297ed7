package dev.sluice.cli.fleet;

import dev.sluice.Endpoint;
import dev.sluice.cli.output.CountText;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.Limits;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The limits from a file, and the number of instances that use the file.
 *
 * @param name the name of the file
 * @param limits the limits in the file
 * @param instances the number of instances that use the file; 0 if this command has read the file itself
 */
public record FollowedFile(String name, Limits limits, int instances) {

    public Optional<Endpoint> endpoint(String id) {
        return limits.endpoints().stream()
                .filter(endpoint -> endpoint.id().equals(id))
                .findFirst();
    }

    /**
     * Returns the display name of the client with this key, in parentheses. The name comes from the first file that
     * contains one for the client. Empty if no file contains one.
     */
    public static String displayName(List<FollowedFile> known, String subject, String value) {
        return known.stream()
                .map(file -> file.limits().nameOf(subject, value))
                .filter(Objects::nonNull)
                .findFirst()
                .map(name -> " (" + SafeText.cut(name, 200) + ')')
                .orElse("");
    }

    /**
     * Returns the name of the file. If instances use several files, the text also states how many instances use this
     * one.
     */
    public String among(List<FollowedFile> all) {
        return SafeText.cut(name, 200) + (all.size() == 1 ? "" : ", on " + CountText.of(instances, "instance"));
    }
}
