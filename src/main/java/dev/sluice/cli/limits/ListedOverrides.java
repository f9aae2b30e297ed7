package dev.sluice.cli.limits;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.config.file.LimitsReader;
import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.ClientOverrideSource.Kept;
import dev.sluice.match.caller.CountedValue;
import dev.sluice.store.OverrideSources;
import dev.sluice.store.redis.RedisOverrideSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The store that a {@code limits} command works on, and by which subject it tells clients. */
final class ListedOverrides {

    private static final Comparator<ClientOverride> ORDER = Comparator.comparing(ClientOverride::subject)
            .thenComparing(ClientOverride::value)
            .thenComparing(ClientOverride::endpoint);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "URI",
            required = true,
            description = "The store of the service: redis://localhost:6379.")
    private String uri = "";

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "The subject of the file that CLIENT is a value of; default: tenant.")
    private String subject = "tenant";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The file of the service. If the subject is secret there, CLIENT is hashed as the file says.")
    private @Nullable String config;

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    ListedOverrides() {}

    /** The limit of a client at an endpoint, once it is clear that both can be names of such. */
    ClientOverride limit(ClientAtEndpoint whom, String tiers) {
        String client = whom.client();
        String endpoint = whom.endpoint();
        if (!subject.matches("[^|\\s]{1,128}")) {
            throw usage("--subject '" + subject + "' cannot be the name of a subject");
        }
        if (!client.matches("[^*]{1,256}")) {
            throw usage("'" + client + "' cannot be a client; write 1 to 256 characters without a star");
        }
        if (!endpoint.matches("[A-Za-z0-9._-]{1,64}")) {
            throw usage("'" + endpoint + "' cannot be the id of an endpoint");
        }
        return new ClientOverride(subject, counted(client), endpoint, tiers);
    }

    /** By what instances count this client. */
    private String counted(String client) {
        return config == null
                ? client
                : CountedValue.of(
                        LimitsReader.read(ConfigSources.named(config), resolvers.names())
                                .limits()
                                .subjects()
                                .getOrDefault(subject, List.of()),
                        client);
    }

    /** All limits by this subject, in order. */
    List<ClientOverride> all() {
        return in(source -> source.changedSince("")
                        .thenApply(found -> found.map(Kept::limits).orElse(List.of())))
                .stream()
                .filter(limit -> limit.subject().equals(subject))
                .sorted(ORDER)
                .toList();
    }

    /** Does something in the store, and waits for it. */
    <T> T in(Function<RedisOverrideSource, CompletionStage<T>> work) {
        try (RedisOverrideSource source = open()) {
            return source.connected()
                    .thenCompose(connected -> work.apply(source))
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof StoreException trouble) {
                throw new CommandFailure(String.valueOf(trouble.getMessage()), trouble);
            }
            throw e;
        }
    }

    private RedisOverrideSource open() {
        try {
            return OverrideSources.open(uri);
        } catch (IllegalArgumentException e) {
            throw usage("--store: " + e.getMessage());
        }
    }

    void print(String line) {
        command.commandLine().getOut().println(line);
    }

    ParameterException usage(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
