package dev.sluice.cli.imports;

import dev.sluice.LimitsException;
import dev.sluice.cli.command.CommandFailure;
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
 * A parsed {@code application.yml}.
 *
 * @param findings the errors found so far
 * @param documents the YAML documents in the file; each of them is a map
 */
record SpringFile(String name, Findings findings, List<Fields> documents) {

    private static final Pattern PROPERTIES = Pattern.compile("(?m)^[ \\t]*bucket4j\\.[\\w.\\[\\]-]{1,200}[ \\t]*=");

    /**
     * Reads a file.
     *
     * @throws LimitsException if the file is not valid YAML; the exception lists all errors
     */
    static SpringFile read(ConfigSource source) {
        SourceContent content = SourceContent.of(source);
        Findings findings = new Findings(content.name());
        String text = content.text(findings);
        if (text != null
                && (content.name().endsWith(".properties")
                        || PROPERTIES.matcher(text).find())) {
            throw new CommandFailure(
                    content.name() + " is a properties file, and import reads an application.yml; rewrite the settings"
                            + " of \"bucket4j\" as YAML, and import that: bucket4j.filters[0].url=/a becomes"
                            + " \"bucket4j: { filters: [ { url: /a } ] }\"");
        }
        List<Value> values = text == null ? null : new YamlTree(Variables.asWritten(), findings).documents(text);
        List<Fields> maps = new ArrayList<>();
        for (Value value : values == null ? List.<Value>of() : values) {
            if (value instanceof Fields map) {
                maps.add(map);
            } else if (!(value instanceof Text empty) || !empty.isMissing()) {
                findings.add(
                        ProblemCode.WRONG_TYPE, value.position(), "a map is expected here, as in an application.yml");
            }
        }
        if (values != null && maps.isEmpty() && !findings.failed()) {
            findings.add(ProblemCode.EMPTY, FilePosition.WHOLE_FILE, "the file is empty");
        }
        SpringFile file = new SpringFile(content.name(), findings, maps);
        file.requireSound();
        return file;
    }

    /**
     * Ends the import if the file contains errors.
     *
     * @throws LimitsException if there are errors; the exception lists all of them
     */
    void requireSound() {
        if (findings.failed()) {
            throw new LimitsException(findings.problems());
        }
    }
}
