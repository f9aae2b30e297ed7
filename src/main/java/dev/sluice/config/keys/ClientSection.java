package dev.sluice.config.keys;

import dev.sluice.Cost;
import dev.sluice.Mode;
import dev.sluice.config.caller.SubjectsSection;
import dev.sluice.config.shape.Nearest;
import dev.sluice.config.shape.Section;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.tier.PositionedTier;
import dev.sluice.config.tier.TierChecks;
import dev.sluice.config.tier.TierSection;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Quote;
import dev.sluice.config.yaml.Value;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.limits.Client;
import dev.sluice.limits.SubjectSource;
import dev.sluice.tier.Sync;
import dev.sluice.tier.Tier;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One item of {@code clients}: four keys of its own, and the names of subjects. */
public final class ClientSection {

    private static final String EXAMPLE = "{ tenant: mobile-app, exempt: true }";
    private static final String TIERS_EXAMPLE = "{ get-product: [ { period: 10s, threshold: 5000 } ] }";
    private static final String VALUE = "partner-*";
    private static final int LONGEST_VALUE = 256;
    private static final long MOST_COMBINATIONS = 256;
    private static final String IDLE =
            "an exempt client is never refused, so this would decide nothing; remove one of the two";

    private static final Pattern FACTOR_WITH_UNIT = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,3})?)\\s*([xX%])");
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.*-]{0,63}");

    private static final Shape<BigDecimal> FACTOR =
            Shapes.number(Client.LEAST_MULTIPLE, Client.MOST_MULTIPLE, ClientSection::factorMeant, "10 or 0.5");

    private static final Shape<String> ONE =
            Shapes.text("a value or a list of values", VALUE).then(ClientSection::value);

    private final Map<String, Cost> costs;
    private final SubjectsSection subjects;
    private final Sync syncOfFile;
    private final Map<String, BigDecimal> regionShares;
    private final UnreachableClients unreachable = new UnreachableClients();

    /**
     * Reads the clients of a file.
     *
     * @param costs the cost of a call, by the id of each endpoint in the file
     * @param regionShares the part of its limits that holds in this region, by the id of each endpoint
     */
    public ClientSection(
            Map<String, Cost> costs, Map<String, BigDecimal> regionShares, SubjectsSection subjects, Sync syncOfFile) {
        this.costs = costs;
        this.regionShares = regionShares;
        this.subjects = subjects;
        this.syncOfFile = syncOfFile;
    }

    public Shape<List<Client>> clients() {
        Shape<List<Client>> list =
                Shapes.anyListOf(Section.shape(ClientSection::callerMeant, EXAMPLE, this::read), "[ " + EXAMPLE + " ]");
        return (value, findings) -> {
            List<Client> clients = list.read(value, findings);
            unreachable.report(findings);
            return clients;
        };
    }

    /** {@code 10} for {@code 10x}, {@code 1.5} for {@code 150%}. */
    private static @Nullable String factorMeant(Text text) {
        Matcher factor = FACTOR_WITH_UNIT.matcher(text.content());
        if (text.isSubstituted() || !factor.matches()) {
            return null;
        }
        BigDecimal number = new BigDecimal(factor.group(1));
        BigDecimal meant = factor.group(2).equals("%") ? number.movePointLeft(2) : number;
        return meant.stripTrailingZeros().toPlainString();
    }

    /** The client for a name alone. */
    private static @Nullable String callerMeant(Value value) {
        return value instanceof Text text
                        && !text.isSubstituted()
                        && PLAIN_NAME.matcher(text.content()).matches()
                ? "{ tenant: " + text.asWritten() + ", exempt: true }"
                : null;
    }

    private @Nullable Client read(Section keys, Findings findings) {
        boolean exempt = keys.optional("exempt", Shapes.trueOrFalse(), false);
        BigDecimal multiply = exempt ? BigDecimal.ONE : keys.optional("multiply", FACTOR, BigDecimal.ONE);
        Mode mode = exempt ? null : keys.optional("mode", Shapes.word(Mode.class));
        Map<String, List<Tier>> own = exempt ? Map.of() : keys.optional("endpoints", this::tiers, Map.of());
        if (exempt) {
            List.of("multiply", "mode", "endpoints").forEach(key -> keys.misplaced(key, IDLE));
        }
        Map<String, List<String>> who = who(keys, findings);
        return who.isEmpty() || !keys.isValid() ? null : new Client(who, exempt, multiply, mode, own);
    }

    private Map<String, List<String>> who(Section keys, Findings findings) {
        Map<String, List<String>> who = new LinkedHashMap<>();
        Map<String, Value> written = new LinkedHashMap<>();
        List<String> names = keys.others(subjects.words());
        for (String name : names) {
            List<SubjectSource> chain = subjects.find(name);
            List<String> values = chain == null
                    ? null
                    : keys.optional(
                            name,
                            SubjectsSection.hiddenIfSecret(
                                    chain, values(subjects.values.restrict(chain, ONE), name, written)));
            if (chain != null && values != null) {
                subjects.define(name, chain);
                who.put(name, values);
            }
        }
        if (names.stream()
                .allMatch(name -> name.equals("multiply") || name.equals("mode") || name.equals("endpoints"))) {
            findings.add(
                    ProblemCode.MISSING_KEY,
                    keys.position(),
                    "this client names no caller; write a subject and its value, for example tenant: mobile-app");
        }
        long combinations =
                who.values().stream().mapToLong(List::size).reduce(1, (a, b) -> Math.min(a * b, Integer.MAX_VALUE));
        if (who.size() > 1 && combinations > MOST_COMBINATIONS) {
            findings.add(
                    ProblemCode.TOO_MANY_COMBINATIONS,
                    keys.position(),
                    "these values make " + combinations + " combinations; at most " + MOST_COMBINATIONS
                            + " are allowed, so write several clients instead of this one");
        }
        unreachable.add(written);
        return who;
    }

    /** A value or a list of values; adds the value as written to {@code written}. */
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
                        ProblemCode.OUT_OF_RANGE,
                        text,
                        " has " + length + " characters; write from 1 to " + LONGEST_VALUE);
    }

    private @Nullable Map<String, List<Tier>> tiers(Value value, Findings findings) {
        Value.Fields map = Shapes.map(TIERS_EXAMPLE).read(value, findings);
        if (map == null) {
            return null;
        }
        Map<String, List<Tier>> own = new HashMap<>();
        boolean[] sound = {true};
        map.fields().forEach((id, field) -> {
            TierSection tiers = new TierSection(syncOfFile, regionShares.getOrDefault(id, BigDecimal.ONE));
            List<PositionedTier> read = tiers.tiers().read(field.value(), findings);
            if (!costs.containsKey(id)) {
                findings.add(
                        ProblemCode.UNKNOWN_ENDPOINT,
                        field.keyPosition(),
                        Quote.of(id) + " is not an endpoint of this file; " + hint(id));
            }
            if (read == null) {
                sound[0] = false;
            } else {
                TierChecks.check(read, findings);
                Cost cost = costs.getOrDefault(id, Cost.ONE);
                TierChecks.checkCost(cost, CostShape.usual(cost), read, findings);
                own.put(id, read.stream().map(PositionedTier::tier).toList());
            }
        });
        return sound[0] ? own : null;
    }

    private String hint(String id) {
        String guess = Nearest.to(id, costs.keySet());
        return guess != null
                ? "did you mean " + Quote.of(guess) + "?"
                : "write the id of one, such as "
                        + Quote.of(costs.keySet().stream().sorted().findFirst().orElse("get-product"));
    }
}
