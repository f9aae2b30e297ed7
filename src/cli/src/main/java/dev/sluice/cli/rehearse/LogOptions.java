package dev.sluice.cli.rehearse;

import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the log format. */
final class LogOptions {

    private static final Set<String> SOURCE_KINDS = Set.of("header", "query", "cookie", "claim", "attribute");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = {
                "The format of lines: nginx's log_format, Apache's LogFormat, or one of common, combined, "
                        + "vhost-combined, alb, caddy, traefik and json; default: detected."
            })
    private @Nullable String format;

    @Option(
            names = "--field",
            paramLabel = "NAME=KEY",
            description = {
                "Specifies the field of a line that contains a value. KEY is a JSON key such as org.id, or a "
                        + "variable of the format. NAME is a subject in FILE, a source such as header:X-Org-Id, or "
                        + "time, start, ip, method, path, query, status, principal, duration or charge. "
                        + "Can be repeated."
            })
    private Map<String, String> fields = new LinkedHashMap<>();

    @Option(
            names = "--cut",
            paramLabel = "PATH",
            description = "The context path to remove from paths in the logs, such as /shop.")
    private @Nullable String cut;

    LogOptions() {}

    /** Opens the logs in the format that these options specify. */
    Logs open(List<String> logs, Limits limits, Set<String> resolvers) {
        Map<String, String> named = new LinkedHashMap<>();
        fields.forEach((name, key) -> named.put(source(name, limits, resolvers), key));
        Formats formats = new Formats(named);
        requireFormat(formats);
        return new Logs(logs, formats, format, cut());
    }

    private void requireFormat(Formats formats) {
        try {
            if (format != null) {
                formats.named(format);
            }
        } catch (IllegalArgumentException e) {
            throw usage("--format: " + e.getMessage());
        }
    }

    private @Nullable String cut() {
        if (cut == null) {
            return null;
        }
        if (!cut.startsWith("/") || cut.length() < 2) {
            throw usage("--cut " + cut + " is not a context path; write one such as /shop");
        }
        return cut.endsWith("/") ? cut.substring(0, cut.length() - 1) : cut;
    }

    /** Translates a NAME in {@code --field}. A subject is translated to its first source. */
    private String source(String name, Limits limits, Set<String> resolvers) {
        if (Formats.isPartOfCall(name) || resolvers.contains(name) || isKindOfSource(name)) {
            return name;
        }
        List<SubjectSource> chain = limits.subjects().get(name);
        if (chain == null || chain.isEmpty()) {
            throw usage("--field " + name + ": the file has no such subject; write one of "
                    + String.join(
                            ", ", limits.subjects().keySet().stream().sorted().toList())
                    + ", or header:NAME, time, ip, method, path, query, status, principal, duration or charge");
        }
        String first = SubjectSource.plainName(chain.get(0).name());
        boolean isReadable = isKindOfSource(first)
                || resolvers.contains(first)
                || Set.of("principal", "ip", "session").contains(first);
        if (!isReadable) {
            throw usage("--field " + name + ": the file reads this subject from " + first
                    + ", which a log cannot contain; write header:NAME, or another source that the log contains");
        }
        return first;
    }

    private static boolean isKindOfSource(String name) {
        int colon = name.indexOf(':');
        return colon > 0 && SOURCE_KINDS.contains(name.substring(0, colon)) && colon < name.length() - 1;
    }

    private ParameterException usage(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
