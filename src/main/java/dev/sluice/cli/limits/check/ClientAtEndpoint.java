package dev.sluice.cli.limits.check;

import dev.sluice.cli.command.StoreConnection;
import dev.sluice.cli.command.StoreOption;
import dev.sluice.cli.fleet.FollowedFile;
import dev.sluice.cli.fleet.ServiceFileOption;
import dev.sluice.limits.ClientOverride;
import dev.sluice.match.caller.CountedValue;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of the {@code limits} commands for one limit: a client and an endpoint, in a store. */
public final class ClientAtEndpoint {

    private static final String USUAL_SUBJECT = "tenant";
    /** A subject and its value, as top and metrics write it; but not a key in Base64, which may end in "=" or "==". */
    private static final Pattern PAIR = Pattern.compile("([^=|\\s]{1,128})=([^=].*)", Pattern.DOTALL);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Parameters(
            index = "0",
            paramLabel = "CLIENT",
            description = "The value of the subject, such as acme; or with its subject, tenant=acme, as top shows it.")
    private String client = "";

    @Parameters(index = "1", paramLabel = "ENDPOINT", description = "The id of an endpoint of the file.")
    private String endpoint = "";

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "The subject of the file that CLIENT is a value of; default: tenant, or what CLIENT names.")
    private @Nullable String subject;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private ServiceFileOption serviceFile = new ServiceFileOption();

    public ClientAtEndpoint() {}

    /** Opens the store that is named. */
    public StoreConnection openStore() {
        return store.open();
    }

    /** The file that names are checked against. */
    public ServiceFileOption serviceFile() {
        return serviceFile;
    }

    /** Whether the subject was named, and not merely taken to be the usual one. */
    public boolean namesSubject() {
        return subject != null;
    }

    /**
     * A limit of that client there, once it is clear that both can be names of such. If the subject is secret in the
     * file that was given, the client is named by its hash.
     */
    public ClientOverride limit(String tiers) {
        Matcher pair = PAIR.matcher(client);
        boolean isPair = pair.matches() && (subject == null || subject.equals(pair.group(1)));
        String named = isPair ? pair.group(1) : subject == null ? USUAL_SUBJECT : subject;
        if (!named.matches("[^|\\s]{1,128}")) {
            throw usage("--subject '" + named + "' cannot be the name of a subject");
        }
        String value = isPair ? pair.group(2) : client;
        if (!value.matches("[^*]{1,256}")) {
            throw usage("'" + client + "' cannot be a client; write 1 to 256 characters without a star");
        }
        if (!endpoint.matches("[A-Za-z0-9._-]{1,64}")) {
            throw usage("'" + endpoint + "' cannot be the id of an endpoint");
        }
        return new ClientOverride(named, counted(named, value), endpoint, tiers);
    }

    private String counted(String named, String value) {
        FollowedFile given = serviceFile.given();
        return given == null ? value : CountedValue.of(given.limits().subjects().getOrDefault(named, List.of()), value);
    }

    /** Whether two limits are of one client at one endpoint. */
    public static boolean isSame(ClientOverride one, ClientOverride other) {
        return one.subject().equals(other.subject())
                && one.endpoint().equals(other.endpoint())
                && CountedValue.ofNamed(one.value()).equals(CountedValue.ofNamed(other.value()));
    }

    private ParameterException usage(String sentence) {
        CommandLine line = command.commandLine();
        return new ParameterException(line, sentence);
    }
}
