package dev.sluice.internal.config.value;

import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.regex.Pattern;

/**
 * Checks the names that a file defines. These are endpoint ids, subject names and plan names. They appear in keys,
 * headers and reports.
 */
public final class Identifiers {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** The description of valid names in messages. */
    public static final String EXPECTED = "1 to 64 ASCII letters, digits, dots, dashes or underscores";

    private Identifiers() {}

    /** Whether a text is a valid name. */
    public static boolean isId(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the shape of an endpoint id. */
    public static Shape<Text> id() {
        return Shapes.text("an id", "get-product")
                .then((text, findings) ->
                        check(text.content(), text.quoted(), text.position(), "an id", findings) ? text : null);
    }

    /** Returns whether a text is a valid name. An invalid name is reported. */
    public static boolean check(String name, String shown, FilePosition position, String noun, Findings findings) {
        boolean good = isId(name);
        if (!good) {
            findings.add(ProblemCode.BAD_ID, position, shown + " cannot be " + noun + "; write " + EXPECTED);
        }
        return good;
    }
}
