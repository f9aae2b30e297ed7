package dev.sluice.internal.config.keys;

import dev.sluice.Cost;
import dev.sluice.Cost.Settling;
import dev.sluice.CostResolver;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Section;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Quote;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.tier.Limit;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The key {@code cost}: a number, a header, {@code charged}, the name of a registered resolver, or a map that reserves
 * an estimate.
 */
public final class CostShape {

    /** The word for a cost that the application charges later. No resolver can have this name. */
    static final String CHARGED = "charged";

    private static final String HEADER = "header:";
    private static final String ARGUMENT = "argument:";
    private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+.]?[0-9].*");

    private static final String RESERVED = "{ reserve: \"header:X-Estimate\", default: 1000, settle: charged }";

    /** The words of the key {@code settle}. It says who reports the real cost; so far, only the application can. */
    private enum Settle {
        CHARGED
    }

    /**
     * The words of the key {@code unsettled}. It says what happens to the estimate if a call ends before its real cost
     * was reported.
     */
    private enum Unsettled {
        KEEP,
        REFUND
    }

    private static final Shape<Long> DEFAULT = Shapes.wholeNumber(1, Limit.MAX_THRESHOLD);

    private static final Shape<Cost> FIXED =
            Shapes.wholeNumber(1, Limit.MAX_THRESHOLD).then((cost, findings) -> Cost.fixed(cost));

    private CostShape() {}

    static Shape<Cost> of(Map<String, CostResolver> registered) {
        Shape<Cost> reserved = Section.shape(RESERVED, (keys, findings) -> reserved(keys, registered));
        return (value, findings) -> value instanceof Value.Fields
                ? reserved.read(value, findings)
                : word(registered, Set.of(CHARGED)).read(value, findings);
    }

    /** The cost at an endpoint that limits methods: a number, an argument, or the name of a resolver. */
    static Shape<Cost> ofMethods(Map<String, CostResolver> registered) {
        return (value, findings) -> {
            if (value instanceof Value.Fields
                    || (value instanceof Text word && word.content().equals(CHARGED))) {
                return findings.refuse(
                        ProblemCode.UNKNOWN_COST,
                        value.position(),
                        "the cost of a method call is fixed when it begins, so nothing is charged or settled later; "
                                + "write a whole number, \"argument:NAME\" or the name of a registered CostResolver");
            }
            if (value instanceof Text text
                    && text.content().startsWith(ARGUMENT)
                    && !text.content().substring(ARGUMENT.length()).isBlank()) {
                String argument = text.content().substring(ARGUMENT.length()).strip();
                return new Cost(ARGUMENT + argument, new ArgumentCost(argument), Settling.NONE);
            }
            return word(registered, Set.of()).read(value, findings);
        };
    }

    /** A number, a header, the name of a resolver, or one of these words. */
    private static Shape<Cost> word(Map<String, CostResolver> registered, Set<String> words) {
        return (value, findings) -> {
            if (!(value instanceof Text text)
                    || text.isMissing()
                    || LIKE_A_NUMBER.matcher(text.content()).matches()) {
                return FIXED.read(value, findings);
            }
            return named(text, registered, words, findings);
        };
    }

    private static @Nullable Cost reserved(Section keys, Map<String, CostResolver> registered) {
        Cost estimate = keys.required("reserve", word(registered, Set.of()), "reserve: \"header:X-Estimate\"");
        // The key is read only to check it, since it has a single word.
        var unused = keys.optional("settle", Shapes.word(Settle.class));
        Unsettled unsettled = keys.optional("unsettled", Shapes.word(Unsettled.class), Unsettled.KEEP);
        Settling settling = unsettled == Unsettled.KEEP ? Settling.KEEP : Settling.REFUND;
        if (estimate != null && estimate.resolver() instanceof HeaderCost header) {
            Long otherwise = keys.required("default", DEFAULT, "default: 1000");
            return otherwise == null
                    ? null
                    : new Cost(
                            estimate.name() + " or " + otherwise, new HeaderCost(header.header(), otherwise), settling);
        }
        if (estimate != null) {
            keys.misplaced(
                    "default",
                    "default is for calls without the header, but reserve names no header; remove " + "default");
            return new Cost(estimate.name(), estimate.resolver(), settling);
        }
        // The key reserve is missing or wrong, so only the form of default can be checked.
        var unusedDefault = keys.optional("default", DEFAULT);
        return null;
    }

    /**
     * The cost of a usual call: the fixed cost, or the cost of a call without the header. It is 0 if it is unknown
     * before a call arrives.
     */
    static long usual(Cost cost) {
        return cost.resolver() instanceof HeaderCost header ? header.otherwise() : cost.each();
    }

    /** Whether an application can register a resolver under this name, so that the file can use it. */
    public static boolean isName(String name) {
        return !name.isBlank()
                && name.indexOf(':') < 0
                && !name.equals(CHARGED)
                && !LIKE_A_NUMBER.matcher(name).matches();
    }

    private static @Nullable Cost named(
            Text text, Map<String, CostResolver> registered, Set<String> words, Findings findings) {
        String name = text.content();
        if (words.contains(name)) {
            return Cost.CHARGED;
        }
        if (name.startsWith(HEADER) && !name.substring(HEADER.length()).isBlank()) {
            String header = name.substring(HEADER.length());
            if (!header.equals(header.strip())) {
                String meant = text.isSubstituted() ? "NAME" : Quote.plain(header.strip());
                return findings.refuse(
                        ProblemCode.UNKNOWN_COST,
                        text,
                        " has a space around the name; write \"" + HEADER + meant + "\"");
            }
            return new Cost(name, new HeaderCost(header, 1), Settling.NONE);
        }
        if (name.startsWith(ARGUMENT)) {
            return findings.refuse(
                    ProblemCode.UNKNOWN_COST,
                    text,
                    " is an argument of a method, but a request has no arguments; write a whole number or "
                            + "\"header:NAME\", or limit a method: write on instead of pathPattern");
        }
        CostResolver resolver = registered.get(name);
        if (resolver != null) {
            return new Cost(name, resolver, Settling.NONE);
        }
        Set<String> known = new TreeSet<>(registered.keySet());
        known.addAll(words);
        String hint = Nearest.hint(
                text,
                known,
                "write a whole number, \"header:NAME\"" + (words.isEmpty() ? "" : ", charged")
                        + " or the name of a registered CostResolver");
        return findings.refuse(ProblemCode.UNKNOWN_COST, text, " is not a cost; " + hint);
    }
}
