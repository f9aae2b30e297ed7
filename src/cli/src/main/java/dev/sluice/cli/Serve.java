package dev.sluice.cli;

import dev.sluice.Endpoint;
import dev.sluice.cli.command.ArgumentChecks;
import dev.sluice.cli.command.CommandFailure;
import dev.sluice.cli.command.ConfigSources;
import dev.sluice.cli.command.JvmShutdown;
import dev.sluice.cli.command.ResolverOption;
import dev.sluice.cli.output.FileSummary;
import dev.sluice.cli.sandbox.LocalNames;
import dev.sluice.cli.sandbox.SandboxServer;
import dev.sluice.cli.sandbox.SandboxServlet;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.config.file.LimitsFile;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.match.path.PathPattern;
import dev.sluice.internal.store.CounterStores;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import dev.sluice.page.SluicePage;
import dev.sluice.servlet.RateLimitFilter;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs a sandbox in which users can try the limits of a file with any HTTP client. The sandbox runs until it is
 * stopped.
 */
@Command(
        name = "serve",
        description = {
            "Starts a server that responds to every method and path, behind the limits of a file.",
            "Changes to the file take effect within seconds.",
            "It responds with 200 immediately. Use ?status=401 to request a different status, and ?delay=50ms to "
                    + "request a delay."
        },
        footer = {"", "Stops on Ctrl+C or SIGTERM. Exit code: 1 if the server could not start; 2 for wrong usage."})
final class Serve implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Serve.class);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(8);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--config", paramLabel = "FILE", description = "The limits file; default: rate-limits.yml.")
    private @Nullable String config;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The same as --config FILE.")
    private @Nullable String file;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "The address to listen on; default: ${DEFAULT-VALUE}, which only this computer can reach.",
            defaultValue = "127.0.0.1")
    private String host = "";

    @Option(
            names = "--port",
            paramLabel = "NUMBER",
            description = "The port to listen on; 0 for any free port; default: ${DEFAULT-VALUE}.",
            defaultValue = "8080")
    private int port;

    @Option(
            names = "--store",
            paramLabel = "URI",
            description = "The store for the counters, such as redis://localhost:6379; default: the store in the file.")
    private @Nullable String store;

    @Option(
            names = "--open-page",
            description = "Serves the page of limits and clients, " + SandboxServer.PAGE
                    + ", to everybody who can reach the address. By default, it is served only on a loopback address.")
    private boolean openPage;

    @Mixin
    private ResolverOption resolvers = new ResolverOption();

    Serve() {}

    @Override
    public void run() {
        ArgumentChecks.require(
                spec.commandLine(),
                port >= 0 && port <= 65535,
                "--port " + port + " is out of range; write a number from 0 to 65535");
        String problem = store == null ? null : CounterStores.problemWith(store);
        ArgumentChecks.require(spec.commandLine(), problem == null, "--store: " + problem);
        ArgumentChecks.require(
                spec.commandLine(),
                config == null || file == null,
                "both FILE and --config name a file; remove one of them");
        String name = config != null ? config : file != null ? file : "rate-limits.yml";
        ConfigSource source = ConfigSources.file(name);
        LimitsFile limits = LimitsReader.read(source, resolvers.names());
        JvmShutdown end = new JvmShutdown(LONGEST_STOP, Thread.currentThread()::interrupt);
        DryRunLog dryRun = new DryRunLog(LOG::warn);
        Sluice.Builder limiter =
                resolvers.registeredWith(Sluice.builder().config(source).listener(dryRun));
        if (store != null) {
            limiter.store(store);
        }
        try (end;
                dryRun;
                ServerSocketChannel socket = SandboxServer.bind(host, port); // fails before the store is opened
                Sluice sluice = limiter.open();
                SandboxServer sandbox = sandbox(sluice)) {
            // If the file enables logging of refusals, the limiter itself logs dry runs. This check prevents us from
            // logging such calls twice.
            dryRun.start(() -> !sluice.refusalInterval().isZero());
            announce(sandbox.listen(host, socket), name, limits, sluice.status().place());
            sandbox.join();
        } catch (InterruptedException e) {
            // The JVM is shutting down, for example because of Ctrl+C. The resources above have been closed, so the
            // command is done.
        } catch (StoreException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure("the port cannot be closed: " + e.getMessage(), e);
        }
    }

    /**
     * Creates the server. It includes the page if only this computer can reach the server, or if {@code --open-page} is
     * set. Users can make changes on the page only if other computers cannot reach the server.
     */
    private SandboxServer sandbox(Sluice sluice) {
        return new SandboxServer(
                new RateLimitFilter(sluice),
                openPage ? List.of() : List.of(new LocalNames()),
                new SandboxServlet(),
                hasPage() ? page(sluice) : null);
    }

    private SluicePage page(Sluice sluice) {
        SluicePage page = SluicePage.of(sluice).open();
        return isLocal() ? page.openForChanges() : page;
    }

    private boolean hasPage() {
        return openPage || isLocal();
    }

    private boolean isLocal() {
        InetAddress address = new InetSocketAddress(host, port).getAddress();
        return address != null && address.isLoopbackAddress();
    }

    private void announce(String address, String name, LimitsFile limits, String place) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Sluice listens on " + address);
        out.println("It follows " + Path.of(name).toAbsolutePath() + ": " + FileSummary.of(limits) + "; calls count "
                + place);
        out.println(
                hasPage()
                        ? "The page is at " + address + SandboxServer.PAGE
                        : "The page is not served, because other computers can reach this address; --open-page serves "
                                + "it anyway");
        // The sandbox cannot call application methods, so endpoints for methods cannot serve as the example.
        limits.limits().endpoints().stream()
                .filter(endpoint -> endpoint.on() == null)
                .findFirst()
                .ifPresent(endpoint -> out.println("Try: " + curl(address, endpoint)));
        out.flush();
    }

    /**
     * Returns a path that the endpoint limits. The method derives an example path from each pattern, and returns the
     * first one that {@code except} does not exclude. If {@code except} excludes all of them, it returns the first one.
     */
    private static String path(Endpoint endpoint) {
        List<String> paths = endpoint.pathPatterns().stream()
                .map(pattern -> pattern.replaceAll("\\{[^}]*}|\\*+", "1"))
                .toList();
        List<PathPattern> except =
                endpoint.except().stream().map(PathPattern::parse).toList();
        return paths.stream()
                .filter(path -> except.stream().noneMatch(pattern -> pattern.matches(path, false)))
                .findFirst()
                .orElse(paths.get(0));
    }

    /** Returns a curl command for a call that matches the endpoint. */
    static String curl(String address, Endpoint endpoint) {
        String method = endpoint.methods().isEmpty() || endpoint.methods().contains("GET")
                ? ""
                : "-X " + endpoint.methods().iterator().next() + " ";
        return "curl -i " + method + "'" + address + path(endpoint) + "'";
    }
}
