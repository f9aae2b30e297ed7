package dev.sluice.internal.config.yaml;

/**
 * Turns texts from outside a YAML file into values, as {@link YamlTree} does with the texts of a file.
 *
 * @param variables replaces variables
 * @param findings receives problems
 */
public record TextValues(Variables variables, Findings findings) {

    /** The value of a text; broken if it cannot be used, which is reported. */
    public Value value(FilePosition position, String written, Value.Text.Style style) {
        if (written.length() > Bounds.LONGEST_TEXT) {
            findings.add(ProblemCode.TOO_MUCH, position, Bounds.ofLimits().tooLong(written));
            return new Value.Broken(position);
        }
        return variables.text(position, written, style, findings);
    }
}
