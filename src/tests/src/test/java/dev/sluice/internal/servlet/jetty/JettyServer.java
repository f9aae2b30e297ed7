package dev.sluice.internal.servlet.jetty;

import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.Application.Leniency;
import dev.sluice.internal.servlet.contract.WebServer;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Eclipse Jetty 12 with its Jakarta EE 10 environment. */
public record JettyServer(Server server) implements WebServer {

    public static WebServer start(Application application) throws Exception {
        boolean isStrict = application.leniency() == Leniency.STRICT;
        return start(application, isStrict ? UriCompliance.DEFAULT : UriCompliance.UNSAFE);
    }

    /** The same, with a URI compliance that may differ from that of the application. */
    public static WebServer start(Application application, UriCompliance compliance) throws Exception {
        HttpConfiguration http = new HttpConfiguration();
        ServletContextHandler context =
                new ServletContextHandler(application.contextPath().isEmpty() ? "/" : application.contextPath());
        context.setBaseResourceAsPath(application.root().toAbsolutePath());
        context.setWelcomeFiles(application.welcomeFiles().toArray(String[]::new));
        context.addServletContainerInitializer(application.setup());
        http.setUriCompliance(compliance);
        context.getServletHandler().setDecodeAmbiguousURIs(application.leniency() == Leniency.DECODING);
        ErrorPageErrorHandler errors = new ErrorPageErrorHandler();
        application.errorPages().forEach((status, location) -> errors.addErrorPage(status, status, location));
        context.setErrorHandler(errors);

        Server server = new Server();
        ServerConnector connector = new ServerConnector(
                server, 1, 1, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(context);
        JettyServer started = new JettyServer(server);
        try {
            server.start();
        } catch (Exception e) {
            started.close();
            throw e;
        }
        return started;
    }

    @Override
    public int port() {
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
            server.destroy();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
