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
 * The shape of the {@code cost} key. Its value is a number, a header or argument, {@code charged}, the name of a
 * registered resolver, or a map that reserves an estimate.
 */
public final class CostShape {

    /** The word for a cost that the application charges later. No resolver can have this name. */
    static final String CHARGED = "charged";

    private static final String HEADER = "header:";
    private static final String ARGUMENT = "argument:";
    private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+.]?[0-9].*");

    private static final String RESERVED = "{ reserve: \"header:X-Estimate\", default: 1000, settle: charged }";
    private static final String RESERVED_BY_ARGUMENT =
            "{ reserve: \"argument:tokens\", default: 1000, settle: charged }";

    /**
     * The values of the {@code settle} key, which specifies who reports the actual cost. At present, only the
     * application can report it.
     */
    private enum Settle {
        CHARGED
    }

    /**
     * The values of the {@code unsettled} key, which specifies what happens to the estimate if a call ends before its
     * actual cost is reported.
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
        return costs(word(registered, Set.of(CHARGED)), word(registered, Set.of()), RESERVED);
    }

    /**
     * Returns the shape of the cost for an endpoint that limits methods. The cost of a method call can also come from
     * an argument.
     */
    static Shape<Cost> ofMethods(Map<String, CostResolver> registered) {
        return costs(
                argumentOr(word(registered, Set.of(CHARGED))),
                argumentOr(word(registered, Set.of())),
                RESERVED_BY_ARGUMENT);
    }

    /** Returns the shape of a cost that is written as a word, or as a map that reserves an estimate. */
    private static Shape<Cost> costs(Shape<Cost> word, Shape<Cost> estimate, String example) {
        Shape<Cost> reserved = Section.shape(example, (keys, findings) -> reserved(keys, estimate, example));
        return (value, findings) ->
                value instanceof Value.Fields ? reserved.read(value, findings) : word.read(value, findings);
    }

    private static Shape<Cost> argumentOr(Shape<Cost> other) {
        return (value, findings) -> {
            if (value instanceof Text text
                    && text.content().startsWith(ARGUMENT)
                    && !text.content().substring(ARGUMENT.length()).isBlank()) {
                String argument = text.content().substring(ARGUMENT.length()).strip();
                return new Cost(ARGUMENT + argument, new ArgumentCost(argument, 1), Settling.NONE);
            }
            return other.read(value, findings);
        };
    }

    /** Returns the shape of a cost that is a number, a header, the name of a resolver, or one of these words. */
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

    private static @Nullable Cost reserved(Section keys, Shape<Cost> shape, String example) {
        Cost estimate = keys.required("reserve", shape, example.substring(2, example.indexOf(',')));
        // We read the key only to validate it, because it has only one valid value.
        var unused = keys.optional("settle", Shapes.word(Settle.class));
        Unsettled unsettled = keys.optional("unsettled", Shapes.word(Unsettled.class), Unsettled.KEEP);
        Settling settling = unsettled == Unsettled.KEEP ? Settling.KEEP : Settling.REFUND;
        if (estimate == null) { // without an estimate, only the form of default can be checked
            var unusedDefault = keys.optional("default", DEFAULT);
            return null;
        }
        CostResolver resolver = estimate.resolver();
        if (!(resolver instanceof HeaderCost || resolver instanceof ArgumentCost)) {
            keys.misplaced(
                    "default",
                    "the key default applies to calls without the header or argument, but reserve names neither; "
                            + "remove default");
            return new Cost(estimate.name(), resolver, settling);
        }
        Long otherwise = keys.required("default", DEFAULT, "default: 1000");
        if (otherwise == null) {
            return null;
        }
        CostResolver withDefault = resolver instanceof HeaderCost header
                ? new HeaderCost(header.header(), otherwise)
                : new ArgumentCost(((ArgumentCost) resolver).argument(), otherwise);
        return new Cost(estimate.name() + " or " + otherwise, withDefault, settling);
    }

    /**
     * Returns the cost of a typical call: the fixed cost, or the cost of a call without the header or argument. Returns
     * 0 if the cost is unknown before a call arrives.
     */
    static long usual(Cost cost) {
        if (cost.resolver() instanceof ArgumentCost argument) {
            return argument.otherwise();
        }
        return cost.resolver() instanceof HeaderCost header ? header.otherwise() : cost.each();
    }

    /** Whether an application can register a resolver under this name, so that the file can refer to it. */
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
