package dev.sluice.internal.config.keys;

import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.value.Shape;
import dev.sluice.internal.config.value.Shapes;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads HTTP methods. */
final class MethodShape {

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");

    private static final List<String> REGISTERED = List.of(
            "GET",
            "HEAD",
            "POST",
            "PUT",
            "DELETE",
            "PATCH",
            "OPTIONS",
            "TRACE",
            "CONNECT",
            "QUERY",
            "PROPFIND",
            "PROPPATCH",
            "MKCOL",
            "COPY",
            "MOVE",
            "LOCK",
            "UNLOCK",
            "SEARCH",
            "REPORT",
            "LINK",
            "UNLINK",
            "BIND",
            "UNBIND",
            "PURGE");

    /** The words that other limiters use for all methods. */
    private static final Set<String> ALL = Set.of("*", "ALL", "ANY");

    static final Shape<String> ONE = Shapes.text("a method", "GET").then(MethodShape::read);

    private static final Shape<List<String>> SEVERAL =
            Shapes.listOf(ONE, MethodShape::inCapitals, "[ GET ]", "remove the key to limit all methods");

    static final Shape<List<String>> LIST = (value, findings) -> value instanceof Text text
                    && !text.isSubstituted()
                    && ALL.contains(text.content().toUpperCase(Locale.ROOT))
            ? findings.refuse(
                    ProblemCode.WRONG_TYPE,
                    text,
                    " is text, but a list is expected; remove the key to limit all methods")
            : SEVERAL.read(value, findings);

    private MethodShape() {}

    /** Returns the registered method that a lower-case text denotes; {@code null} if there is none. */
    private static @Nullable String inCapitals(Text text) {
        String upper = text.content().toUpperCase(Locale.ROOT);
        return !text.isSubstituted() && REGISTERED.contains(upper) ? upper : null;
    }

    private static @Nullable String read(Text text, Findings findings) {
        String method = text.content();
        String upper = method.toUpperCase(Locale.ROOT);
        if (!TOKEN.matcher(method).matches()) {
            return findings.refuse(ProblemCode.BAD_METHOD, text, " is not a valid method; write one word, such as GET");
        }
        if (!method.equals(upper)) {
            String meant = text.isSubstituted() ? "it in capitals" : upper;
            return findings.refuse(ProblemCode.BAD_METHOD, text, " must be upper-case; write " + meant);
        }
        if (ALL.contains(method)) {
            findings.add(
                    ProblemCode.DOUBTFUL_METHOD,
                    text,
                    " is not a registered method; remove the key to limit all methods");
            return method;
        }
        String guess = REGISTERED.contains(method) ? null : Nearest.to(method, REGISTERED);
        if (guess != null) {
            findings.add(ProblemCode.DOUBTFUL_METHOD, text, " is not a registered method; did you mean " + guess + "?");
        }
        return method;
    }
}
