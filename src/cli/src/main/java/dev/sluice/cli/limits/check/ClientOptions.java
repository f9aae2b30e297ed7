package dev.sluice.cli.limits.check;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.ClientOverride;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options with which the {@code limits} commands identify a client: its subject, the file, and the store. */
public final class ClientOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "The subject that identifies CLIENT; default: the subject in CLIENT, or tenant.")
    private @Nullable String subject;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    public ClientOptions() {}

    /** Opens the store. */
    public StoreConnection openStore() {
        return store.open();
    }

    /** Returns the option that specifies the file against which names are checked. */
    public ServiceFileOption serviceFile() {
        return serviceFile;
    }

    /** Whether an option specifies the subject; otherwise the subject is {@code tenant}. */
    public boolean namesSubject() {
        return subject != null;
    }

    /** Parses a client as typed by the operator. */
    public TypedClient typed(String client) {
        try {
            return TypedClient.of(client, subject);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns an override for a client. If the client's subject is secret in the {@code --config} file, the override
     * contains the client's hash.
     */
    ClientOverride withKey(TypedClient typed, String endpoint, String tiers) {
        FollowedFile given = serviceFile.given();
        String value = given == null
                ? typed.value()
                : SubjectKey.of(given.limits().subjects().getOrDefault(typed.subject(), List.of()), typed.value());
        return new ClientOverride(typed.subject(), value, endpoint, tiers);
    }

    /**
     * Returns the override that the operator meant. If the operator typed a display name, it is an override for the
     * client with this name.
     */
    public ClientOverride meant(TypedClient typed, String endpoint, String tiers, List<FollowedFile> known) {
        return typed.meantBy(withKey(typed, endpoint, tiers), known);
    }
}
