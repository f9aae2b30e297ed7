package dev.sluice.config;

import dev.sluice.config.Value.Text;
import java.util.regex.Pattern;

/** Names that the file gives to things: ids of endpoints and names of subjects. They stand in keys, headers and reports. */
final class Identifiers {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private Identifiers() {}

    static Shape<Text> name(String noun, String example) {
        Shape<Text> any = Shapes.text(noun, example);
        return (value, findings) -> {
            Text text = any.read(value, findings);
            return text != null && check(text.content(), text.quoted(), text.position(), noun, findings) ? text : null;
        };
    }

    static boolean check(String name, String shown, FilePosition position, String noun, Findings findings) {
        boolean good = NAME.matcher(name).matches();
        if (!good) {
            findings.add(
                    ProblemCode.BAD_ID,
                    position,
                    shown + " cannot be " + noun
                            + "; write 1 to 64 letters, digits, dots, dashes or underscores (of ASCII)");
        }
        return good;
    }
}
