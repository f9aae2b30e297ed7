package dev.sluice.cli.command;

import dev.sluice.internal.store.OperatedStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that specify a store and its password. Both can also be set in the environment. */
public final class StoreOption {

    private static final String URI_VARIABLE = "SLUICE_STORE";
    private static final String PASSWORD_VARIABLE = "SLUICE_STORE_PASSWORD";
    private static final int LONGEST_PASSWORD = 4096;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = {
                "The store of the service, for example",
                "redis://localhost:6379;",
                "default: the variable SLUICE_STORE."
            })
    private @Nullable String uri;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "A file with the store password in its first line; default: the variable "
                    + "SLUICE_STORE_PASSWORD.")
    private @Nullable String passwordFile;

    public StoreOption() {}

    /**
     * Whether the option is present on the command line. Some commands ignore a store that is specified only in the
     * environment.
     */
    public boolean isGiven() {
        return uri != null;
    }

    /** Returns the URI of the store. If a file or the environment provides the password, the URI includes it. */
    public String uri() {
        String named = uri == null ? variable(URI_VARIABLE) : uri;
        if (named == null) {
            throw usage("name the store: --store redis://localhost:6379, or " + URI_VARIABLE + " in the environment");
        }
        StoreArgument written = new StoreArgument(named);
        if (passwordFile != null) {
            if (written.hasPassword()) {
                throw usage("--password-file: the store's URI already has a password; remove one of the two");
            }
            return written.withPassword(firstLine(passwordFile));
        }
        String password = variable(PASSWORD_VARIABLE);
        return password == null || written.hasPassword() ? named : written.withPassword(password);
    }

    /** Opens the store, and waits for the connection. */
    public StoreConnection open() {
        String named = uri();
        try {
            return StoreConnection.connected(OperatedStore.open(named));
        } catch (IllegalArgumentException e) {
            throw usage((uri == null ? URI_VARIABLE : "--store") + ": " + e.getMessage());
        } catch (CommandFailure e) {
            // The original message refers to the URI in a limits file, but this user has specified the URI and the
            // password elsewhere.
            String told = String.valueOf(e.getMessage())
                    .replace("the password of the store uri", passwordOrigin(named))
                    .replace("the store uri has none", "set one with --password-file or " + PASSWORD_VARIABLE);
            throw new CommandFailure(e.exitCode(), told, e);
        }
    }

    /** Describes where the password was set, so that users know where to correct it. */
    private String passwordOrigin(String opened) {
        String written = uri == null ? variable(URI_VARIABLE) : uri;
        if (opened.equals(written)) {
            return "the password in the uri of " + (uri == null ? URI_VARIABLE : "--store");
        }
        return "the password " + (passwordFile == null ? "in " + PASSWORD_VARIABLE : "of --password-file");
    }

    private String firstLine(String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            String text = new String(in.readNBytes(LONGEST_PASSWORD), StandardCharsets.UTF_8);
            String line = text.lines().findFirst().orElse("");
            if (line.isEmpty()) {
                throw usage("--password-file '" + file + "' does not begin with a password");
            }
            return line;
        } catch (IOException | InvalidPathException e) {
            throw usage("--password-file: cannot read '" + file + "'");
        }
    }

    /**
     * Returns the value of an environment variable, or otherwise of a system property with that name. The same rule
     * applies to {@code ${NAME}} in a limits file.
     */
    private static @Nullable String variable(String name) {
        String value = System.getenv(name);
        String found = value == null ? System.getProperty(name) : value;
        return found == null || found.isBlank() ? null : found;
    }

    private ParameterException usage(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}
