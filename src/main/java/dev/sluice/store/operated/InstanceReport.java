package dev.sluice.store.operated;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an instance tells of itself to whoever asks the store who is there.
 *
 * @param name tells it apart from all others on the store, for ever
 * @param server its name for people
 * @param limitsVersion of the limits of clients that it follows; empty as long as it has heard of none
 * @param refreshMillis how often it asks whether those have changed
 * @param definitions the digest of the definitions that it goes by, which are kept apart; empty if they are too long
 * @param refusals whom it refused lately, in words that this package does not read
 */
public record InstanceReport(
        String name, String server, String limitsVersion, long refreshMillis, String definitions, String refusals) {

    /** As one text, which {@link #of} reads. */
    public String text() {
        StringBuilder text = new StringBuilder();
        append(text, "server", server);
        append(text, "limits", limitsVersion);
        append(text, "refresh", String.valueOf(refreshMillis));
        append(text, "definitions", definitions);
        append(text, "refusals", refusals);
        return text.toString();
    }

    /** What stands before the refusals, which come last. */
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

    /** What stands in a store of an instance, as far as it is understood. */
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
                    words.getOrDefault("definitions", ""),
                    words.getOrDefault("refusals", "")));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
