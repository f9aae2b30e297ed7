package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.caller.SubjectsSection;
import dev.sluice.internal.config.clients.NameHints;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.limits.Client;
import dev.sluice.limits.KnownClient;
import dev.sluice.limits.SubjectSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one item of {@code clients}. An item has six fixed keys. Every other key is a subject name, and its value
 * identifies the client's callers.
 */
public final class ClientSection {

    private static final String EXAMPLE = "{ tenant: mobile-app, exempt: true }";
    private static final String VALUE = "partner-*";
    private static final int LONGEST_VALUE = 256;
    private static final long MOST_COMBINATIONS = 256;
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.*-]{0,63}");

    private static final Shape<String> ONE =
            Shapes.text("a value or a list of values", VALUE).then(ClientSection::value);

    private static final Shape<String> NAME = Shapes.text("a name", "Acme Ltd").then(ClientSection::name);

    private final OverrideKeys overrides;
    private final PlansSection plans;
    private final SubjectsSection subjects;
    private final UnreachableClients unreachable = new UnreachableClients();

    /** Creates a reader for the clients of a file. */
    public ClientSection(OverrideKeys overrides, PlansSection plans, SubjectsSection subjects) {
        this.overrides = overrides;
        this.plans = plans;
        this.subjects = subjects;
    }

    /** Returns the shape of the whole list. It also reports clients that no caller can reach. */
    public Shape<List<Client>> clients() {
        Shape<List<Client>> list =
                Shapes.anyListOf(Section.shape(ClientSection::callerMeant, EXAMPLE, this::read), "[ " + EXAMPLE + " ]");
        return (value, findings) -> {
            List<Client> clients = list.read(value, findings);
            unreachable.report(findings);
            return clients;
        };
    }

    /** Guesses which client a bare name denotes. */
    private static @Nullable String callerMeant(Value value) {
        return value instanceof Text text
                        && !text.isSubstituted()
                        && PLAIN_NAME.matcher(text.content()).matches()
                ? "{ tenant: " + text.asWritten() + ", exempt: true }"
                : null;
    }

    private @Nullable Client read(Section keys, Findings findings) {
        OverrideKeys.Overrides own = overrides.read(keys);
        String plan = keys.optional("plan", plans.name(), "");
        Value named = keys.unread("name");
        String name = keys.optional("name", NAME, "");
        Map<String, List<String>> who = who(keys, named, findings);
        if (who.isEmpty() || !keys.isValid()) {
            return null;
        }
        if (named != null && (who.size() > 1 || who.entrySet().stream().anyMatch(this::areSeveral))) {
            findings.add(
                    ProblemCode.MISPLACED_KEY,
                    named.position(),
                    "only a single client can have a name; write one subject with one value that contains no "
                            + "star and is not a network, for example { tenant: acme, name: Acme Ltd }");
            return null;
        }
        return new Client(who, own.exempt(), own.multiply(), own.mode(), own.endpoints(), plan, name);
    }

    private boolean areSeveral(Map.Entry<String, List<String>> who) {
        List<SubjectSource> chain = Objects.requireNonNullElse(subjects.find(who.getKey()), List.of());
        return who.getValue().stream().anyMatch(one -> one.contains("*") || subjects.values.isNetwork(chain, one));
    }

    private static @Nullable String name(Text text, Findings findings) {
        return KnownClient.isName(text.content())
                ? text.content()
                : findings.refuse(ProblemCode.BAD_ID, text, " is not a valid client name; " + NameHints.CLIENT);
    }

    private Map<String, List<String>> who(Section keys, @Nullable Value named, Findings findings) {
        Map<String, List<String>> who = new LinkedHashMap<>();
        Map<String, Value> written = new LinkedHashMap<>();
        Set<String> ofAddresses = new HashSet<>();
        List<String> names = keys.others(subjects.words());
        for (String name : names) {
            List<SubjectSource> chain = subjects.find(name);
            List<String> values = chain == null
                    ? null
                    : keys.optional(
                            name,
                            SubjectsSection.hiddenIfSecret(
                                    chain, values(subjects.values.restrict(chain, ONE), name, written)));
            if (SubjectsSection.refuseLogin(chain, "clients are looked up", keys.position(name), findings)) {
                continue;
            }
            if (chain != null && values != null) {
                subjects.define(name, chain);
                if (subjects.values.areAddresses(chain)) {
                    ofAddresses.add(name);
                }
                who.put(name, values);
                warnOfHashes(name, chain, values, keys, findings);
            }
        }
        // For an exempt client, the three keys below have not been read, so they are still among the names. They do not
        // identify callers.
        if (names.stream()
                .allMatch(name -> name.equals("multiply") || name.equals("mode") || name.equals("endpoints"))) {
            findings.add(
                    ProblemCode.MISSING_KEY,
                    keys.position(),
                    "this item does not specify a client; write a subject and its value, for example tenant: "
                            + (named instanceof Text text && !text.isSubstituted() ? text.asWritten() : "mobile-app"));
        }
        // The product saturates, so it cannot overflow if the lists are long.
        long combinations =
                who.values().stream().mapToLong(List::size).reduce(1, (a, b) -> Math.min(a * b, Integer.MAX_VALUE));
        if (who.size() > 1 && combinations > MOST_COMBINATIONS) {
            findings.add(
                    ProblemCode.TOO_MANY_COMBINATIONS,
                    keys.position(),
                    "these values result in " + combinations + " combinations; at most " + MOST_COMBINATIONS
                            + " are allowed, so split this client into several");
        }
        unreachable.add(written, ofAddresses);
        return who;
    }

    private static void warnOfHashes(
            String name, List<SubjectSource> chain, List<String> values, Section keys, Findings findings) {
        boolean isSecret = chain.stream().anyMatch(SubjectSource::isSecret);
        values.stream()
                .filter(value -> isSecret && !SecretDigest.damage(value).isEmpty())
                .findFirst()
                .ifPresent(cut -> findings.add(
                        ProblemCode.CUT_HASH,
                        keys.position(name),
                        "this value " + SecretDigest.damage(cut) + ", " + NameHints.CUT));
        if (!isSecret && values.stream().anyMatch(SecretDigest::isHash)) {
            findings.add(
                    ProblemCode.HASH_OF_NO_SECRET,
                    keys.position(name),
                    "this looks like the hash of a secret, but no source of " + Quote.plain(name)
                            + " is secret, so callers would have to send the hash itself; write the source as "
                            + "\"hash(header:X-Api-Key)\", or the plain value");
        }
    }

    /**
     * Returns the shape of a value or a list of values. It also stores the value in {@code written}, in its original
     * form.
     */
    private static Shape<List<String>> values(Shape<String> one, String name, Map<String, Value> written) {
        Shape<List<String>> values =
                Shapes.oneOrMore(one, "[ " + VALUE + " ]", "write at least one value, such as " + VALUE);
        return (value, findings) -> {
            List<String> read = values.read(value, findings);
            if (read != null) {
                written.put(name, value);
            }
            return read;
        };
    }

    private static @Nullable String value(Text text, Findings findings) {
        int length = text.content().length();
        return length >= 1 && length <= LONGEST_VALUE
                ? text.content()
                : findings.refuse(
                        ProblemCode.OUT_OF_RANGE, text, " has " + length + " characters; write 1 to " + LONGEST_VALUE);
    }
}
