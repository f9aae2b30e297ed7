package dev.sluice.cli.imports;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Fields;
import dev.sluice.internal.config.yaml.Value.Text;
import org.jspecify.annotations.Nullable;

/** A ConfigMap of Kubernetes, which has the file to import as a text below its {@code data}. */
final class ConfigMap {

    private ConfigMap() {}

    /**
     * Refuses it, with the command that imports the text.
     *
     * @throws CommandFailure if the file is one
     */
    static void requireNone(ForeignFile file) {
        for (Fields document : file.documents()) {
            if (value(document, "kind") instanceof Text kind && kind.content().equals("ConfigMap")) {
                String key = value(document, "data") instanceof Fields data
                                && !data.fields().isEmpty()
                        ? data.fields().keySet().iterator().next()
                        : "config.yaml";
                String name = value(document, "metadata") instanceof Fields metadata
                                && value(metadata, "name") instanceof Text written
                        ? written.content()
                        : "NAME";
                throw new CommandFailure(file.name() + " is a ConfigMap of Kubernetes; import the text below its data: "
                        + "kubectl get configmap " + name + " -o jsonpath='{.data." + key.replace(".", "\\.")
                        + "}' | sluice import -");
            }
        }
    }

    private static @Nullable Value value(Fields map, String key) {
        Value.Field field = map.fields().get(key);
        return field == null ? null : field.value();
    }
}
