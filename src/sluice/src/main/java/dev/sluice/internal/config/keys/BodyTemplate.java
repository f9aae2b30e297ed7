package dev.sluice.internal.config.keys;

import dev.sluice.RefusalBody;
import dev.sluice.RefusalBody.Piece;
import dev.sluice.RefusalBody.Placeholder;
import dev.sluice.RefusalBody.Syntax;
import dev.sluice.internal.config.value.Nearest;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Splits a body template into fixed texts and placeholders such as {@code {retryAfter}}. */
final class BodyTemplate {

    /**
     * The pattern of placeholders: a bare word in braces. Valid JSON never contains a bare word in braces, so the
     * braces of a JSON body need no escapes.
     */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z][A-Za-z_-]{0,40})}");

    private static final Map<String, Placeholder> KNOWN = new LinkedHashMap<>();

    static {
        for (Placeholder placeholder : Placeholder.values()) {
            KNOWN.put(placeholder.word(), placeholder);
        }
    }

    private BodyTemplate() {}

    /**
     * Reads the body. If the body contains an unknown placeholder, or must be JSON but is not, reports an error and
     * returns {@code null}.
     */
    static @Nullable RefusalBody read(Text body, String contentType, Syntax syntax, Findings findings) {
        String template = body.content();
        List<Piece> pieces = new ArrayList<>();
        // The template with a sample value in place of each placeholder. It is valid JSON if and only if every actual
        // body is valid JSON.
        StringBuilder sample = new StringBuilder();
        boolean inString = false;
        int start = 0;
        Matcher matcher = PLACEHOLDER.matcher(template);
        while (matcher.find()) {
            Placeholder placeholder = KNOWN.get(matcher.group(1));
            if (placeholder == null) {
                return findings.refuse(ProblemCode.UNKNOWN_PLACEHOLDER, body, unknown(body, matcher.group(1)));
            }
            String fixed = template.substring(start, matcher.start());
            inString ^= syntax == Syntax.JSON && opensOrClosesString(fixed);
            // A placeholder outside a string stands for a whole JSON value, so its replacement includes the quotes.
            boolean isWholeValue = syntax == Syntax.JSON && !inString;
            pieces.add(new Piece(fixed, placeholder, isWholeValue));
            sample.append(fixed).append(isWholeValue ? "null" : "x");
            start = matcher.end();
        }
        pieces.add(new Piece(template.substring(start), null, false));
        sample.append(template, start, template.length());
        if (syntax == Syntax.JSON && !JsonSyntax.isJson(sample.toString())) {
            return findings.refuse(
                    ProblemCode.NOT_JSON,
                    body,
                    " is not JSON, although contentType requires it; close every brace, bracket and quote");
        }
        return new RefusalBody(contentType, syntax, pieces);
    }

    /** Whether a text contains an odd number of quotes. Escaped quotes are not counted. */
    private static boolean opensOrClosesString(String fixed) {
        boolean odd = false;
        for (int i = 0; i < fixed.length(); i++) {
            char c = fixed.charAt(i);
            if (c == '"') {
                odd = !odd;
            } else if (c == '\\') {
                i++;
            }
        }
        return odd;
    }

    private static String unknown(Text body, String word) {
        String known = KNOWN.keySet().stream().map(name -> '{' + name + '}').collect(Collectors.joining(", "));
        if (body.isSubstituted()) { // the word in braces might be a part of a secret
            return " contains a word in braces that is not a placeholder; the placeholders are " + known;
        }
        String guess = Nearest.to(word, KNOWN.keySet());
        return " contains {" + word + "}, which is not a placeholder; "
                + (guess == null ? "the placeholders are " + known : "did you mean {" + guess + "}?");
    }
}
