package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Items;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.AddressRange;
import dev.sluice.internal.match.caller.AddressTable;
import dev.sluice.internal.match.glob.ValueTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds client values that never apply because an earlier client matches the same callers. Considers only earlier
 * clients with a single subject, because a client with a second subject might not match all of these callers. Not
 * thread-safe.
 */
final class UnreachableClients {

    /**
     * The maximum number of values with several stars to compare. If there were more, the comparison would take too
     * long, because each of them is compared with all others.
     */
    private static final int MOST_WITH_SEVERAL_STARS = 1_000;

    private final List<ClientValue> values = new ArrayList<>();
    private final Map<String, SoleValues> soleValues = new HashMap<>();
    private int clients;

    /**
     * A value that identifies a client.
     *
     * @param client the client's number in the file
     * @param isSole whether this subject alone identifies the client
     * @param addresses the addresses that the value represents; {@code null} if it is not an address or contains a star
     */
    private record ClientValue(
            String subject,
            Text value,
            int client,
            boolean isSole,
            @Nullable AddressRange addresses) {

        String text() {
            return value.content();
        }
    }

    /**
     * Adds the next client in the file, with the subject values that identify it.
     *
     * @param ofAddresses the names of subjects whose values are addresses and networks
     */
    void add(Map<String, Value> who, Set<String> ofAddresses) {
        who.forEach((subject, value) -> {
            for (Value one : value instanceof Items list ? list.values() : List.of(value)) {
                if (one instanceof Text text) {
                    ClientValue added = new ClientValue(
                            subject,
                            text,
                            clients,
                            who.size() == 1,
                            ofAddresses.contains(subject) ? AddressRange.in(text.content()) : null);
                    values.add(added);
                    if (added.isSole) {
                        soleValues
                                .computeIfAbsent(subject, missing -> new SoleValues())
                                .add(added);
                    }
                }
            }
        });
        clients++;
    }

    /** Reports each value that never applies. */
    void report(Findings findings) {
        soleValues.values().forEach(SoleValues::compile);
        for (ClientValue value : values) {
            SoleValues ofSubject = soleValues.get(value.subject);
            ClientValue first = ofSubject == null ? null : ofSubject.first(value);
            if (first != null) {
                findings.add(ProblemCode.IDLE_CLIENT, value.value.position(), sentence(value, first));
            }
        }
    }

    private static String sentence(ClientValue later, ClientValue first) {
        boolean same = first.text().equals(later.text());
        return later.subject + " " + later.value.quoted() + " is already "
                + (same ? "" : "matched by " + first.value.quoted() + ' ')
                + "in " + first.value.position().seenFrom(later.value.position()) + ", and the first match applies; "
                + (same && later.isSole ? "keep one of the two" : "move this one before it, or remove it");
    }

    /** The values of one subject. Each of them identifies a client without a second subject. */
    private static final class SoleValues {

        private final Map<String, ClientValue> byText = new HashMap<>();
        private final Map<String, ClientValue> withStars = new HashMap<>();
        private ValueTable<ClientValue> table = new ValueTable<>(Map.of());
        private int withSeveralStars;
        private final Map<AddressRange, ClientValue> byAddresses = new HashMap<>();
        private @Nullable AddressTable<ClientValue> networks;

        private void add(ClientValue value) {
            if (value.addresses != null) {
                byAddresses.putIfAbsent(value.addresses, value);
            }
            String text = value.text();
            boolean isNew = byText.putIfAbsent(text, value) == null;
            boolean severalStars = text.indexOf('*') < text.lastIndexOf('*');
            if (isNew && text.indexOf('*') >= 0 && (!severalStars || withSeveralStars++ < MOST_WITH_SEVERAL_STARS)) {
                withStars.put(text, value);
            }
        }

        private void compile() {
            table = new ValueTable<>(withStars);
            networks = AddressTable.of(byAddresses);
        }

        /**
         * Finds the first earlier value that matches every caller of a later value. A star in the later value is
         * compared like any other character. That is sufficient: if an earlier value matches the literal text
         * {@code a*c}, it also matches every text that {@code a*c} matches.
         */
        private @Nullable ClientValue first(ClientValue later) {
            List<ClientValue> found = new ArrayList<>();
            Optional.ofNullable(byText.get(later.text())).ifPresent(found::add);
            table.find(later.text(), found::add);
            AddressRange addresses = later.addresses;
            if (addresses != null && networks != null) {
                networks.find(later.text(), wide -> {
                    if (wide.addresses != null && wide.addresses.contains(addresses)) {
                        found.add(wide);
                    }
                });
            }
            return found.stream()
                    .filter(value -> value.client < later.client)
                    .min(Comparator.comparingInt(ClientValue::client))
                    .orElse(null);
        }
    }
}
