package dev.sluice.cli.sandbox;

import dev.sluice.cli.command.CommandFailure;
import dev.sluice.page.SluicePage;
import dev.sluice.servlet.RateLimitFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * A Jetty server with the rate limit filter in front of a single servlet. By default, Jetty rejects ambiguous paths.
 * This server accepts them, so that users can test whether a limit covers such paths.
 */
public final class SandboxServer implements AutoCloseable {

    /** The path of the page for operators. */
    public static final String PAGE = "/_sluice/";

    private static final long STOP_MILLIS = 3000;

    private final Server server = new Server();
    private final @Nullable SluicePage page;
    private final HttpConnectionFactory http;

    /**
     * Builds a server that is not running yet.
     *
     * @param before the filters in front of the limits
     * @param behind the servlet that handles the calls that pass
     */
    public SandboxServer(RateLimitFilter limits, List<Filter> before, HttpServlet behind) {
        this(limits, before, behind, null);
    }

    /**
     * Builds a server with a page for operators at {@value #PAGE}.
     *
     * @param page the page; {@code null} for none
     */
    public SandboxServer(RateLimitFilter limits, List<Filter> before, HttpServlet behind, @Nullable SluicePage page) {
        HttpConfiguration configuration = new HttpConfiguration();
        configuration.setUriCompliance(UriCompliance.UNSAFE);
        configuration.setSendServerVersion(false);
        http = new HttpConnectionFactory(configuration);
        ServletContextHandler application = application(limits, before, behind);
        this.page = page;
        if (page != null) {
            application.addServlet(page, PAGE + "*");
        }
        server.setHandler(application);
        server.setStopTimeout(STOP_MILLIS);
    }

    private static ServletContextHandler application(RateLimitFilter limits, List<Filter> before, HttpServlet behind) {
        ServletContextHandler application = new ServletContextHandler("/", ServletContextHandler.NO_SESSIONS);
        before.forEach(filter -> application.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST)));
        application.addFilter(limits, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        application.addServlet(behind, "/*");
        return application;
    }

    /**
     * Binds a port, but does not start to respond to requests yet.
     *
     * @throws CommandFailure if the port is not available
     */
    public static ServerSocketChannel bind(String host, int port) {
        try {
            return ServerSocketChannel.open()
                    .setOption(StandardSocketOptions.SO_REUSEADDR, true)
                    .bind(new InetSocketAddress(host, port));
        } catch (IOException | UnresolvedAddressException e) {
            throw new CommandFailure("cannot listen on " + shown(host) + ":" + port + ": " + reason(e), e);
        }
    }

    private static String reason(Exception fault) {
        if (fault instanceof UnresolvedAddressException) {
            return "there is no such host";
        }
        return fault.getMessage()
                + (fault instanceof BindException ? "; choose another --port (0 for any free port) or --host" : "");
    }

    private static String shown(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    /** Starts to serve on a port of this host, and returns the address, for example {@code http://127.0.0.1:8080}. */
    public String listen(String host, ServerSocketChannel port) {
        ServerConnector connector = new ServerConnector(server, http);
        server.addConnector(connector);
        try {
            connector.open(port);
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not start", e);
        }
        return "http://" + shown(host) + ":" + connector.getLocalPort();
    }

    /** Handles one request without using the network. Both the request and the response are in HTTP syntax. */
    public String answer(String request) throws Exception {
        LocalConnector connector = new LocalConnector(server, http);
        server.addConnector(connector);
        server.start();
        return connector.getResponse(request);
    }

    /** Waits until the server is stopped or the thread is interrupted. */
    public void join() throws InterruptedException {
        server.join();
    }

    /** Stops listening, and waits for responses in flight. */
    @Override
    public void close() {
        if (page != null) {
            // The page's event streams never end on their own. Unless they were ended here, the server would wait for
            // them until its timeout.
            page.destroy();
        }
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server does not stop", e);
        }
    }
}
