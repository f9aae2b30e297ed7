package dev.sluice.cli.imports;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.imports.bucket4j.Bucket4jImport;
import dev.sluice.cli.imports.envoy.EnvoyImport;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Fields;
import dev.sluice.internal.config.yaml.Value.Text;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rate limiters whose files can be imported. */
enum ForeignFormat {
    ENVOY,
    BUCKET4J;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By the word that users write; {@code null} if no format has that name. */
    static @Nullable ForeignFormat named(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse(null);
    }

    /** The format that a file looks like. */
    static ForeignFormat of(ForeignFile file) {
        if (file.documents().stream().anyMatch(EnvoyImport::isOne)) {
            return ENVOY;
        }
        if (file.documents().stream().anyMatch(Bucket4jImport::isOne)) {
            return BUCKET4J;
        }
        requireNoConfigMap(file);
        throw new CommandFailure(file.name() + " is neither the configuration of an Envoy ratelimit service, with "
                + "\"domain\" and \"descriptors\", nor an application.yml with \"bucket4j\"");
    }

    /** Refuses a ConfigMap of Kubernetes, which has the file as a text, and says which command imports that text. */
    private static void requireNoConfigMap(ForeignFile file) {
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
                throw new CommandFailure(file.name() + " is a ConfigMap of Kubernetes; import the text in its data: "
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
