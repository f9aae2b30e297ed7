package dev.sluice.cli.limits.check;

import dev.sluice.Endpoint;
import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.ClientOverride;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The arguments of the {@code limits} commands that identify one limit by its store, client and endpoint. {@code
 * --plan} replaces the client argument, so the endpoint is then the first argument.
 */
public final class ClientAtEndpoint {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "CLIENT",
            description = "A subject value, such as acme, or a subject with its value, as top shows it: tenant=acme.")
    private String client = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            hideParamSyntax = true,
            paramLabel = "ENDPOINT",
            description = "The id of an endpoint in the file; '*' for all endpoints, with a factor such as x2.")
    private @Nullable String endpoint;

    @Option(
            names = "--plan",
            paramLabel = "NAME",
            description = "Applies to every caller on this plan. Replaces CLIENT.")
    private @Nullable String plan;

    @Mixin
    private ClientOptions options = new ClientOptions();

    public ClientAtEndpoint() {}

    /** Opens the store. */
    public StoreConnection openStore() {
        return options.openStore();
    }

    /** Returns the option that specifies the file against which names are checked. */
    public ServiceFileOption serviceFile() {
        return options.serviceFile();
    }

    /** Whether an option specifies the subject; otherwise the subject is {@code tenant}. */
    public boolean namesSubject() {
        return options.namesSubject();
    }

    /** Returns the client and the endpoint as an override without tiers. */
    public ClientOverride place() {
        return limit(others(List.of("ENDPOINT"), client, endpoint).get(0), "");
    }

    /**
     * Returns an override for the client at the endpoint.
     *
     * @param last the argument after the endpoint; {@code null} if there is none
     */
    public ClientOverride limit(@Nullable String last) {
        List<String> others = others(List.of("ENDPOINT", "TIERS"), client, endpoint, last);
        return limit(others.get(0), others.get(1));
    }

    /** Returns the arguments after the client. There must be one argument for each label. */
    private List<String> others(List<String> labels, @Nullable String... typed) {
        List<String> given = Stream.of(typed)
                .filter(Objects::nonNull)
                .skip(plan == null ? 1 : 0)
                .toList();
        if (given.size() < labels.size()) {
            throw usage("Missing required parameter: '" + labels.get(given.size()) + "'");
        }
        if (given.size() > labels.size()) {
            throw usage("--plan replaces CLIENT, so write only " + String.join(" and ", labels));
        }
        return given;
    }

    /**
     * Returns an override for the client at the endpoint, if both names are valid. If the subject is secret in the
     * {@code --config} file, the override contains the client's hash.
     */
    private ClientOverride limit(String endpoint, String tiers) {
        if (!endpoint.matches("[A-Za-z0-9._-]{1,64}|\\*")) {
            throw usage("'" + endpoint + "' cannot be the id of an endpoint; for all endpoints, write '*' in quotes");
        }
        return options.withKey(typed(), endpoint, tiers);
    }

    /**
     * Returns the override that the operator meant. If the operator typed a display name, it is an override for the
     * client with this name.
     */
    public ClientOverride meant(ClientOverride limit, List<FollowedFile> known) {
        return options.meant(typed(), limit.endpoint(), limit.tiers(), known);
    }

    private TypedClient typed() {
        if (plan != null && options.namesSubject()) {
            throw usage("--plan and --subject cannot be combined");
        }
        return options.typed(plan == null ? client : ClientOverride.PLAN + '=' + plan);
    }

    /** Whether two overrides are for the same client at the same endpoint. */
    public static boolean isSame(ClientOverride one, ClientOverride other) {
        return one.subject().equals(other.subject())
                && one.endpoint().equals(other.endpoint())
                && SubjectKey.ofNamed(one.value()).equals(SubjectKey.ofNamed(other.value()));
    }

    /**
     * Returns the endpoints in a file to which an override applies: either one endpoint or all of them. Empty if the
     * file does not contain the endpoint.
     */
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
