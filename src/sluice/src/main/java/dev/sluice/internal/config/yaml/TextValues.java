package dev.sluice.internal.config.yaml;

/**
 * Converts texts from outside a YAML file to values, as {@link YamlTree} does with the texts in a file.
 *
 * @param variables replaces variables
 * @param findings receives problems
 */
public record TextValues(Variables variables, Findings findings) {

    /** Converts a text to a value. Reports an unusable text, and returns a broken value for it. */
    public Value value(FilePosition position, String written, Value.Text.Style style) {
        if (written.length() > Bounds.LONGEST_TEXT) {
            findings.add(ProblemCode.TOO_MUCH, position, Bounds.ofLimits().tooLong(written));
            return new Value.Broken(position);
        }
        return variables.text(position, written, style, findings);
    }
}
