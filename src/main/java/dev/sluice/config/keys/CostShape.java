package dev.sluice.config.keys;

import dev.sluice.Cost;
import dev.sluice.CostResolver;
import dev.sluice.config.shape.Nearest;
import dev.sluice.config.shape.Shape;
import dev.sluice.config.shape.Shapes;
import dev.sluice.config.yaml.Findings;
import dev.sluice.config.yaml.ProblemCode;
import dev.sluice.config.yaml.Quote;
import dev.sluice.config.yaml.Value.Text;
import dev.sluice.tier.Limit;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The key {@code cost}: a number, a header, {@code charged}, or the name of a registered resolver.
 */
public final class CostShape {

    /** The word for costs that the application charges afterwards; no resolver can have this name. */
    static final String CHARGED = "charged";

    private static final String HEADER = "header:";
    private static final Pattern LIKE_A_NUMBER = Pattern.compile("[-+.]?[0-9].*");

    private static final Shape<Cost> FIXED =
            Shapes.wholeNumber(1, Limit.MAX_THRESHOLD).then((cost, findings) -> Cost.fixed(cost));

    private CostShape() {}

    static Shape<Cost> of(Map<String, CostResolver> registered) {
        return (value, findings) -> {
            if (!(value instanceof Text text)
                    || text.isMissing()
                    || LIKE_A_NUMBER.matcher(text.content()).matches()) {
                return FIXED.read(value, findings);
            }
            return named(text, registered, findings);
        };
    }

    /** Whether an application can register a resolver under this name, so that the file can use it. */
    public static boolean isName(String name) {
        return !name.isBlank()
                && name.indexOf(':') < 0
                && !name.equals(CHARGED)
                && !LIKE_A_NUMBER.matcher(name).matches();
    }

    private static @Nullable Cost named(Text text, Map<String, CostResolver> registered, Findings findings) {
        String name = text.content();
        if (name.equals(CHARGED)) {
            return Cost.CHARGED;
        }
        if (name.startsWith(HEADER) && !name.substring(HEADER.length()).isBlank()) {
            String header = name.substring(HEADER.length());
            if (!header.equals(header.strip())) {
                String meant = text.isSubstituted() ? "NAME" : Quote.plain(header.strip());
                return findings.refuse(
                        ProblemCode.UNKNOWN_COST,
                        text,
                        " has a blank beside the name; write \"" + HEADER + meant + "\"");
            }
            return new Cost(name, new HeaderCost(header), false);
        }
        CostResolver resolver = registered.get(name);
        if (resolver != null) {
            return new Cost(name, resolver, false);
        }
        Set<String> words = new TreeSet<>(registered.keySet());
        words.add(CHARGED);
        String hint = Nearest.hint(
                text, words, "write a whole number, \"header:NAME\", charged or the name of a registered CostResolver");
        return findings.refuse(ProblemCode.UNKNOWN_COST, text, " is not a cost; " + hint);
    }
}
