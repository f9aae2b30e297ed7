package dev.sluice.config.keys;

import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Items;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.match.text.ValueTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values by which the clients of a file are named; reports those by which an earlier client is found instead. For
 * one thread.
 */
final class NamedClients {

    /** Of values with several stars, which are tried one by one, no more are looked for behind others. */
    private static final int MOST_OF_SEVERAL_STARS = 1_000;

    private final List<Naming> namings = new ArrayList<>();
    private final Map<String, Takers> takers = new HashMap<>();
    private int clients;

    /**
     * A value of a subject that stands for a client.
     *
     * @param client the client's number
     * @param alone whether no other subject has to fit
     */
    private record Naming(String subject, Text value, int client, boolean alone) {

        String text() {
            return value.content();
        }
    }

    /** Adds a client after all others, by the subjects that identify it. */
    void add(Map<String, Value> who) {
        who.forEach((subject, value) -> {
            for (Value one : value instanceof Items list ? list.values() : List.of(value)) {
                if (one instanceof Text text) {
                    Naming naming = new Naming(subject, text, clients, who.size() == 1);
                    namings.add(naming);
                    if (naming.alone) {
                        takers.computeIfAbsent(subject, missing -> new Takers()).add(naming);
                    }
                }
            }
        });
        clients++;
    }

    /** Whoever is found before is not found here. */
    void report(Findings findings) {
        takers.values().forEach(Takers::compile);
        for (Naming naming : namings) {
            Takers ofSubject = takers.get(naming.subject);
            Naming first = ofSubject == null ? null : ofSubject.first(naming);
            if (first != null) {
                findings.add(ProblemCode.IDLE_CLIENT, naming.value.position(), sentence(naming, first));
            }
        }
    }

    private static String sentence(Naming naming, Naming first) {
        boolean same = first.text().equals(naming.text());
        return naming.subject + " " + naming.value.quoted() + " is a client in line "
                + first.value.position().line() + " already" + (same ? "" : ", by " + first.value.quoted())
                + ", and the first that fits counts; "
                + (same && naming.alone ? "keep one of the two" : "put this one before it, or leave it out");
    }

    /** Of one subject, the values that say all of a client, so that it takes every caller who has one of them. */
    private static final class Takers {

        private final Map<String, Naming> byText = new HashMap<>();
        private final Map<String, Naming> withStars = new HashMap<>();
        private ValueTable<Naming> table = new ValueTable<>(Map.of());
        private int ofSeveralStars;

        void add(Naming naming) {
            String text = naming.text();
            boolean isNew = byText.putIfAbsent(text, naming) == null;
            boolean severalStars = text.indexOf('*') < text.lastIndexOf('*');
            if (isNew && text.indexOf('*') >= 0 && (!severalStars || ofSeveralStars++ < MOST_OF_SEVERAL_STARS)) {
                withStars.put(text, naming);
            }
        }

        void compile() {
            table = new ValueTable<>(withStars);
        }

        /**
         * The first that takes all that a later one names. A star is like any other character here: what fits {@code
         * a*c} as it is written fits all that it stands for.
         */
        @Nullable Naming first(Naming later) {
            List<Naming> found = new ArrayList<>();
            Optional.ofNullable(byText.get(later.text())).ifPresent(found::add);
            table.find(later.text(), found::add);
            return found.stream()
                    .filter(naming -> naming.client < later.client)
                    .min(Comparator.comparingInt(Naming::client))
                    .orElse(null);
        }
    }
}
