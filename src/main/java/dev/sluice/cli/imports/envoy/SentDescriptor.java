package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Requirement;
import java.util.List;
import java.util.Map;

/**
 * A descriptor that Envoy sends to its ratelimit service, or that import assumes it sends.
 *
 * @param requirements that calls have to meet so that Envoy sends it
 * @param methods of the calls that send it; empty for all
 * @param cost how much a call counts
 * @param assumptions that import made
 * @param stricter why the limit may apply to other calls too
 */
record SentDescriptor(
        List<Entry> entries,
        Map<String, Requirement> requirements,
        List<String> methods,
        long cost,
        List<String> assumptions,
        List<String> stricter) {

    /** One level of the descriptor. */
    record Entry(String key, Origin origin) {}

    /** Whether the service finds this limit for the descriptor. */
    boolean finds(DescriptorLimit limit) {
        if (entries.size() != limit.path().size()) {
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            DescriptorLimit.Entry wanted = limit.path().get(i);
            boolean known = entry.origin().kind() == Origin.Kind.CONSTANT
                    && !entry.origin().text().isEmpty();
            if (!entry.key().equals(wanted.key())
                    || (known && !wanted.takes(entry.origin().text()))) {
                return false;
            }
        }
        return true;
    }
}
