package dev.sluice.cli;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.SubjectSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the hashes of secret client keys. Counters, pages and logs show these hashes instead of the keys. */
@Command(
        name = "hash",
        description = {
            "Prints the hash that identifies a client with a secret, such as an API key, in counters and logs.",
            "Reads one secret per line from standard input, because other users of this computer can see arguments.",
            "If the secret is sent in a header, surrounding spaces are removed, because servers remove them too.",
            "With --subject login, all equivalent spellings of a name have the same hash."
        },
        footer = {
            "",
            "For example:",
            "  sluice hash rate-limits.yml < keys.txt",
            "",
            "Exit code: 0 if it printed all hashes; 1 if the file cannot be used, or the subject is not secret; "
                    + "2 for wrong usage."
        })
final class Hash implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FILE", description = "The limits file. It contains the key for the hashes.")
    private String file = "";

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "The subject whose values are the secrets; default: ${DEFAULT-VALUE}.",
            defaultValue = "tenant")
    private String subject = "";

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    Hash() {}

    @Override
    public Integer call() throws IOException {
        LimitsFile read = LimitsReader.read(ConfigSources.file(file), resolvers.names());
        List<SubjectSource> chain = read.limits().subjects().getOrDefault(subject, List.of());
        SubjectSource secret = chain.stream()
                .filter(SubjectSource::isSecret)
                .findFirst()
                .orElseThrow(
                        () -> new CommandFailure(SafeText.of("no source of " + subject + " is secret in " + read.name()
                                + ", so its values are not hashed; write a source as hash(header:X-Api-Key), or "
                                + "choose another "
                                + "subject with --subject")));
        boolean isLogin = SubjectSources.isLogin(secret); // equivalent spellings of a login name have the same key
        boolean isHeader = SubjectSource.plainName(secret.name()).startsWith("header:");
        int padded = 0;
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            // Servers strip header values before the application reads them, so the stripped line is the secret.
            String key = line.strip();
            padded += isLogin || key.equals(line) ? 0 : 1;
            out.println(key.isEmpty() ? "" : SubjectKey.of(List.of(secret), isHeader ? key : line));
        }
        out.flush();
        if (padded > 0) {
            spec.commandLine().getErr().println(warning(padded, isHeader, SubjectSource.plainName(secret.name())));
        }
        return ExitCode.OK;
    }

    private static String warning(int padded, boolean isHeader, String source) {
        return "warning: " + (padded == 1 ? "1 line has" : padded + " lines have") + " spaces around the secret; "
                + (isHeader
                        ? "the hash ignores them, because servers remove them from " + source
                        : "the hash includes them, because " + source
                                + " can contain spaces; remove them if it does not");
    }
}
