package dev.sluice.internal.store.admin;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An instance's report about itself, for operators.
 *
 * @param name the instance's name, unique among all instances that have ever used the store
 * @param server the server's display name
 * @param limitsVersion the version of the overrides in force; empty if the instance has not read them yet
 * @param refreshMillis the interval at which the instance checks for changed overrides
 * @param fileDigest the digest of the limits in the file; empty if the limits are too long to be stored. The limits
 *     themselves are stored separately
 * @param refusals the recently refused callers, as text that this package does not parse
 */
public record InstanceReport(
        String name, String server, String limitsVersion, long refreshMillis, String fileDigest, String refusals) {

    /** Converts the report to text. {@link #of} parses this text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        append(text, "server", server);
        append(text, "limits", limitsVersion);
        append(text, "refresh", String.valueOf(refreshMillis));
        append(text, "file", fileDigest);
        append(text, "refusals", refusals);
        return text.toString();
    }

    /** Returns a report's text without the refusals. The refusals are at the end of the text. */
    public static String head(String text) {
        int refusals = text.indexOf(" refusals=");
        return refusals < 0 ? text : text.substring(0, refusals);
    }

    private static void append(StringBuilder text, String word, String value) {
        text.append(text.isEmpty() ? "" : " ")
                .append(word)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    /** Parses a report. Empty if the text is malformed. Missing fields get default values. */
    public static Optional<InstanceReport> of(String name, String text) {
        try {
            Map<String, String> words = new LinkedHashMap<>();
            for (String word : text.split(" ", -1)) {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    words.put(
                            word.substring(0, equals),
                            URLDecoder.decode(word.substring(equals + 1), StandardCharsets.UTF_8));
                }
            }
            return Optional.of(new InstanceReport(
                    name,
                    words.getOrDefault("server", name),
                    words.getOrDefault("limits", ""),
                    Long.parseLong(words.getOrDefault("refresh", "0")),
                    words.getOrDefault("file", ""),
                    words.getOrDefault("refusals", "")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
