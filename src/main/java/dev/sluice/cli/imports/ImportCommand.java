package dev.sluice.cli.imports;

import dev.sluice.LimitsException.Problem;
import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ExitCodes;
import dev.sluice.cli.command.OutputFile;
import dev.sluice.cli.command.StandardOutput;
import dev.sluice.cli.imports.bucket4j.Bucket4jImport;
import dev.sluice.cli.imports.draft.Draft;
import dev.sluice.cli.imports.draft.Remark;
import dev.sluice.cli.imports.envoy.EnvoyImport;
import dev.sluice.cli.imports.source.ForeignFile;
import dev.sluice.cli.text.CountText;
import dev.sluice.internal.config.yaml.Value;
import dev.sluice.internal.config.yaml.Value.Fields;
import dev.sluice.internal.config.yaml.Value.Text;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Translates the configuration of another rate limiter into a file of limits. */
@Command(
        name = "import",
        description = {
            "Translates another rate limiter's configuration into a rate-limits.yml.",
            "It names each line whose meaning it assumed, or that has no counterpart. "
                    + "Limits that may refuse more calls than before start as a dry run."
        },
        customSynopsis = "sluice import [OPTIONS] [envoy|bucket4j] FILE",
        footer = {
            "",
            "For example:",
            "  sluice import application.yml --output rate-limits.yml",
            "  sluice import envoy ratelimit.yaml --routes envoy.yaml",
            "",
            "Exit code: 0 if it wrote a result, even if parts are missing; 8 if nothing could be imported; "
                    + "1 if a file cannot be read or written; 2 for wrong usage."
        })
public final class ImportCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            arity = "1..2",
            paramLabel = "[FORMAT] FILE",
            hideParamSyntax = true,
            description = "FORMAT is envoy (the configuration of an Envoy ratelimit service) or bucket4j (an "
                    + "application.yml with the Bucket4j starter's settings); default: detected from the file. FILE may "
                    + "be - for standard input.")
    private List<String> words = List.of();

    @Option(
            names = "--routes",
            paramLabel = "FILE",
            description = "Envoy's own configuration: its routes and actions say what the descriptors mean. Without "
                    + "it, import assumes that they mean what their names suggest.")
    private @Nullable String routes;

    @Option(names = "--output", paramLabel = "FILE", description = "Where to write; default: standard output.")
    private @Nullable Path output;

    @Option(names = "--force", description = "Replaces the file of --output if it exists.")
    private boolean force;

    @Option(
            names = "--enforce",
            description = "Enforces all limits, even those whose meaning was assumed; only limits in Envoy's shadow "
                    + "mode stay a dry run.")
    private boolean enforce;

    ImportCommand() {}

    @Override
    public Integer call() {
        Path target = output;
        if (target != null) {
            OutputFile.requireNew(target, force);
        }
        Draft draft = draft();
        if (enforce) {
            draft.enforceAll();
        }
        String yaml = draft.yaml();
        List<Problem> problems = draft.isEmpty() ? List.of() : Draft.problems(yaml);
        if (!problems.isEmpty()) {
            throw new CommandFailure("the result cannot be used: " + problems.get(0));
        }
        if (!draft.isEmpty()) {
            write(yaml, target);
        }
        printRemarks(draft, target);
        return draft.isEmpty() ? ExitCodes.NOTHING_IMPORTED : ExitCode.OK;
    }

    private Draft draft() {
        String format = words.size() == 2 ? words.get(0).toLowerCase(Locale.ROOT) : "";
        ArgumentChecks.require(
                spec.commandLine(),
                words.size() == 1 || Set.of("envoy", "bucket4j").contains(format),
                "unknown format '" + words.get(0) + "'; write envoy or bucket4j");
        ForeignFile file = ForeignFile.read(ConfigSources.named(words.get(words.size() - 1)));
        boolean isEnvoy = format.isEmpty() ? isOfEnvoy(file) : format.equals("envoy");
        ArgumentChecks.require(
                spec.commandLine(), isEnvoy || routes == null, "--routes is for Envoy's configuration only");
        return isEnvoy
                ? EnvoyImport.draft(file, routes == null ? null : ForeignFile.read(ConfigSources.file(routes)))
                : Bucket4jImport.draft(file);
    }

    /** Whether the file looks like one of Envoy's service; ends the command if it looks like none that it can import. */
    private static boolean isOfEnvoy(ForeignFile file) {
        if (file.documents().stream().anyMatch(EnvoyImport::isOne)) {
            return true;
        }
        if (file.documents().stream().anyMatch(Bucket4jImport::isOne)) {
            return false;
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

    private void write(String yaml, @Nullable Path target) {
        if (target == null) {
            StandardOutput.printFile(spec.commandLine(), yaml);
        } else {
            OutputFile.write(target, yaml);
        }
    }

    /** Prints remarks and counts to standard error, where they do not mix with the result. */
    private void printRemarks(Draft draft, @Nullable Path target) {
        PrintWriter err = spec.commandLine().getErr();
        String name = words.get(words.size() - 1).equals("-") ? "standard input" : words.get(words.size() - 1);
        draft.remarks().forEach(remark -> err.println(remark.line(name)));
        List<String> counts = new ArrayList<>();
        counts.add(CountText.of(draft.endpoints().size(), "endpoint")
                + (target == null || draft.isEmpty() ? "" : " written to " + target));
        if (draft.dryRuns() > 0) {
            counts.add(draft.dryRuns() + " in dry-run mode");
        }
        long missing = draft.remarks().stream()
                .filter(remark -> remark.kind() == Remark.Kind.NOT_IMPORTED)
                .count();
        if (missing > 0) {
            counts.add(missing + " not imported");
        }
        err.println(String.join(", ", counts));
        err.flush();
    }
}
