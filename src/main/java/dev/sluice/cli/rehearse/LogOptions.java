package dev.sluice.cli.rehearse;

import dev.sluice.cli.rehearse.format.Formats;
import dev.sluice.cli.rehearse.log.Logs;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How the lines of logs are written. */
final class LogOptions {

    private static final Set<String> SOURCE_KINDS = Set.of("header", "query", "cookie", "claim", "attribute");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = {
                "How lines are written, as log_format of nginx or LogFormat of Apache says it; or common, combined, "
                        + "vhost-combined, alb, caddy, traefik or json; default: found out by looking."
            })
    private @Nullable String format;

    @Option(
            names = "--field",
            paramLabel = "NAME=KEY",
            description = {
                "Where a line has something: a key of JSON such as org.id, or a variable of the format. NAME is a "
                        + "subject of FILE, header:X-Org-Id and the like, or time, start, ip, method, path, query, "
                        + "status, principal, duration or charge. Can be given many times."
            })
    private Map<String, String> fields = new LinkedHashMap<>();

    @Option(
            names = "--cut",
            paramLabel = "PATH",
            description = "The context path with which the application's paths begin in the logs, such as /shop.")
    private @Nullable String cut;

    LogOptions() {}

    /** Opens these logs. */
    Logs open(List<String> logs, Limits limits, Set<String> resolvers, Predicate<String> wanted) {
        Map<String, String> named = new LinkedHashMap<>();
        fields.forEach((name, key) -> named.put(source(name, limits, resolvers), key));
        Formats formats = new Formats(named, wanted);
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
            throw usage("--cut " + cut + " is no context path; write /shop");
        }
        return cut.endsWith("/") ? cut.substring(0, cut.length() - 1) : cut;
    }

    /** What a NAME of {@code --field} stands for: a part of a call, or the first source of a subject. */
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
            throw usage("--field " + name + ": the file finds this subject by " + first
                    + ", which no field can stand for; write header:NAME or what else it is made of");
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
