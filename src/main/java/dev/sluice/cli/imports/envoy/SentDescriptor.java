package dev.sluice.cli.imports.envoy;

import dev.sluice.cli.imports.draft.Requirement;
import java.util.List;
import java.util.Map;

/**
 * A descriptor that Envoy sends to its ratelimit service, or is assumed to send.
 *
 * @param requirements what a call has to have so that it is sent
 * @param methods of the calls that send it; empty for all
 * @param cost what a call counts for
 * @param assumptions what was assumed of it
 * @param stricter why the limit may meet other calls too
 */
record SentDescriptor(
        List<Entry> entries,
        Map<String, Requirement> requirements,
        List<String> methods,
        long cost,
        List<String> assumptions,
        List<String> stricter) {

    SentDescriptor {
        entries = List.copyOf(entries);
        requirements = Map.copyOf(requirements);
        methods = List.copyOf(methods);
        assumptions = List.copyOf(assumptions);
        stricter = List.copyOf(stricter);
    }

    /** One entry of it. */
    record Entry(String key, Origin origin) {}

    /** Whether the service finds this limit for it. */
    boolean finds(DescriptorLimit limit) {
        if (entries.size() != limit.path().size()) {
            return false;
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            DescriptorEntry wanted = limit.path().get(i);
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
