package dev.sluice.internal.config.yaml;

/**
 * Converts texts from outside a YAML file to values, in the same way as {@link YamlTree} converts the texts in a file.
 *
 * @param variables the variables that texts can contain
 * @param findings the collector of problems
 */
public record TextValues(Variables variables, Findings findings) {

    /** Converts a text to a value. If the text is unusable, reports an error and returns a broken value. */
    public Value value(FilePosition position, String written, Value.Text.Style style) {
        if (written.length() > Bounds.LONGEST_TEXT) {
            findings.add(ProblemCode.TOO_MUCH, position, Bounds.ofLimits().tooLong(written));
            return new Value.Broken(position);
        }
        return variables.text(position, written, style, findings);
    }
}
