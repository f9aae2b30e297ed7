package dev.sluice.cli.limits.check;

import dev.sluice.Endpoint;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.internal.match.caller.CountedValue;
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
            description = "The value of the subject, such as acme; or with its subject, tenant=acme, as top shows it.")
    private String client = "";

    @Parameters(
            index = "1",
            paramLabel = "ENDPOINT",
            description = "The id of an endpoint of the file; '*' for all of them, where limits are multiplied: x2.")
    private String endpoint = "";

    @Mixin
    private ClientOptions options = new ClientOptions();

    public ClientAtEndpoint() {}

    /** Opens the store that is named. */
    public StoreConnection openStore() {
        return options.openStore();
    }

    /** The file that names are checked against. */
    public ServiceFileOption serviceFile() {
        return options.serviceFile();
    }

    /** Whether the subject was named by an option, and not merely taken to be the usual one. */
    public boolean namesSubject() {
        return options.namesSubject();
    }

    /**
     * A limit of that client there, once it is clear that both can be names of such. If the subject is secret in the
     * file that was given, the client is named by its hash.
     */
    public ClientOverride limit(String tiers) {
        if (!endpoint.matches("[A-Za-z0-9._-]{1,64}|\\*")) {
            throw usage("'" + endpoint + "' cannot be the id of an endpoint; write '*' in quotes for all endpoints");
        }
        return options.counted(options.typed(client), endpoint, tiers);
    }

    /** The same limit of the client that is meant, if that was typed by its name for people. */
    public ClientOverride meant(ClientOverride limit, List<FollowedFile> known) {
        return options.meant(options.typed(client), limit.endpoint(), limit.tiers(), known);
    }

    /** Whether two limits are of one client at one endpoint. */
    public static boolean isSame(ClientOverride one, ClientOverride other) {
        return one.subject().equals(other.subject())
                && one.endpoint().equals(other.endpoint())
                && CountedValue.ofNamed(one.value()).equals(CountedValue.ofNamed(other.value()));
    }

    /** The endpoints of a file that a limit is set for: one, or all; none if there is no such endpoint. */
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
