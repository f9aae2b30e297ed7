package dev.sluice.cli.imports.source;

import dev.sluice.LimitsException;
import dev.sluice.internal.config.source.SourceContent;
import dev.sluice.internal.config.yaml.FilePosition;
import dev.sluice.internal.config.yaml.Findings;
import dev.sluice.internal.config.yaml.ProblemCode;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Fields;
import dev.sluice.internal.config.yaml.Value.Text;
import dev.sluice.internal.config.yaml.Variables;
import dev.sluice.internal.config.yaml.YamlTree;
import dev.sluice.limits.ConfigSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A YAML file of another program.
 *
 * @param findings the errors found so far
 * @param documents which are maps
 */
public record ForeignFile(String name, Findings findings, List<Fields> documents) {

    private static final Pattern PROPERTY = Pattern.compile("(?s).*bucket4j\\.[\\w.\\[\\]-]{1,200}\\s{0,9}=.*");

    /**
     * Reads a file.
     *
     * @throws LimitsException with all errors, if it is not valid YAML
     */
    public static ForeignFile read(ConfigSource source) {
        SourceContent content = SourceContent.of(source);
        Findings findings = new Findings(content.name());
        String text = content.text(findings);
        List<Value> values = text == null ? null : new YamlTree(Variables.asWritten(), findings).documents(text);
        List<Fields> maps = new ArrayList<>();
        for (Value value : values == null ? List.<Value>of() : values) {
            if (value instanceof Fields map) {
                maps.add(map);
            } else if (!(value instanceof Text empty) || !empty.isMissing()) {
                findings.add(ProblemCode.WRONG_TYPE, value.position(), noMap(value));
            }
        }
        if (values != null && maps.isEmpty() && !findings.failed()) {
            findings.add(ProblemCode.EMPTY, FilePosition.WHOLE_FILE, "the file is empty");
        }
        ForeignFile file = new ForeignFile(content.name(), findings, maps);
        file.requireSound();
        return file;
    }

    private static String noMap(Value value) {
        return value instanceof Text text && PROPERTY.matcher(text.content()).matches()
                ? "these are properties; rewrite them as YAML (application.yml), and import that"
                : "a map is expected here, as in the files of Envoy's ratelimit service and of the Bucket4j starter";
    }

    /**
     * Ends the import if the file has errors.
     *
     * @throws LimitsException with all of them
     */
    public void requireSound() {
        if (findings.failed()) {
            throw new LimitsException(findings.problems());
        }
    }
}
