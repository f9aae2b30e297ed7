package dev.sluice.cli.imports;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.imports.bucket4j.Bucket4jImport;
import dev.sluice.cli.imports.envoy.EnvoyImport;
import dev.sluice.cli.imports.source.ForeignFile;
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

    /** By the word that users write; {@code null} if it is none. */
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
        ConfigMap.requireNone(file);
        throw new CommandFailure(file.name() + " is neither the configuration of an Envoy ratelimit service, with "
                + "\"domain\" and \"descriptors\", nor an application.yml with \"bucket4j\"");
    }
}
