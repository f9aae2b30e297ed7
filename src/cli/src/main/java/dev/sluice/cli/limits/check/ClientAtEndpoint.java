package dev.sluice.cli.limits.check;

import dev.sluice.Endpoint;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.ClientOverride;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of the {@code limits} commands for one limit: a client and an endpoint, in a store. */
public final class ClientAtEndpoint {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "CLIENT",
            description = "The value of a subject, such as acme, or with the subject, as top shows it: tenant=acme.")
    private String client = "";

    @Parameters(
            index = "1",
            paramLabel = "ENDPOINT",
            description = "The id of an endpoint in the file; '*' for all endpoints, with a factor such as x2.")
    private String endpoint = "";

    @Mixin
    private ClientOptions options = new ClientOptions();

    public ClientAtEndpoint() {}

    /** Opens the store. */
    public StoreConnection openStore() {
        return options.openStore();
    }

    /** The option for the file that names are checked against. */
    public ServiceFileOption serviceFile() {
        return options.serviceFile();
    }

    /** Whether an option names the subject; otherwise it is the usual one. */
    public boolean namesSubject() {
        return options.namesSubject();
    }

    /**
     * A limit of the client at the endpoint, if both can be names. If the subject is secret in the file of {@code
     * --config}, the client is named by its hash.
     */
    public ClientOverride limit(String tiers) {
        if (!endpoint.matches("[A-Za-z0-9._-]{1,64}|\\*")) {
            throw usage("'" + endpoint + "' cannot be the id of an endpoint; for all endpoints, write '*' in quotes");
        }
        return options.withKey(options.typed(client), endpoint, tiers);
    }

    /** The same limit; if the client was typed by the name that people call it, then of that client. */
    public ClientOverride meant(ClientOverride limit, List<FollowedFile> known) {
        return options.meant(options.typed(client), limit.endpoint(), limit.tiers(), known);
    }

    /** Whether two limits are for the same client at the same endpoint. */
    public static boolean isSame(ClientOverride one, ClientOverride other) {
        return one.subject().equals(other.subject())
                && one.endpoint().equals(other.endpoint())
                && SubjectKey.ofNamed(one.value()).equals(SubjectKey.ofNamed(other.value()));
    }

    /** The endpoints of a file that a limit is for: one, or all; none if there is no such endpoint. */
    static List<Endpoint> endpoints(FollowedFile file, ClientOverride limit) {
        return limit.endpoint().equals(ClientOverride.ALL_ENDPOINTS)
                ? file.limits().endpoints()
                : file.endpoint(limit.endpoint()).stream().toList();
    }

    private ParameterException usage(String sentence) {
        CommandLine line = command.commandLine();
        return new ParameterException(line, sentence);
    }
}
