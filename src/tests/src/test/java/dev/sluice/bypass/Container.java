package dev.sluice.bypass;

import dev.sluice.internal.servlet.contract.Application.Leniency;
import dev.sluice.internal.servlet.contract.WebServer;
import dev.sluice.internal.servlet.jetty.JettyServer;
import dev.sluice.internal.servlet.tomcat.OlderTomcat;
import dev.sluice.internal.servlet.tomcat.TomcatServer;
import dev.sluice.internal.servlet.undertow.UndertowServer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.UriCompliance;

/**
 * A server with settings for oddly written paths.
 *
 * @param settings how it treats such paths
 */
record Container(String settings, WebServer.Make make) {

    static List<Container> tomcat10() {
        return inEveryLeniency(OlderTomcat::start);
    }

    static List<Container> tomcat11() {
        return inEveryLeniency(TomcatServer::start);
    }

    static List<Container> undertow() {
        return inEveryLeniency(UndertowServer::start);
    }

    static List<Container> jetty() {
        List<Container> containers = new ArrayList<>(inEveryLeniency(JettyServer::start));
        containers.add(jetty(UriCompliance.LEGACY, Leniency.DECODING));
        containers.add(jetty(UriCompliance.LEGACY, Leniency.PASSING));
        containers.add(jetty(
                UriCompliance.DEFAULT.with("EMPTY", UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT),
                Leniency.DECODING));
        containers.add(jetty(
                UriCompliance.DEFAULT.with("EMPTY", UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT),
                Leniency.PASSING));
        return containers;
    }

    private static Container jetty(UriCompliance compliance, Leniency leniency) {
        return new Container(
                compliance.getName() + " " + leniency,
                application -> JettyServer.start(application.with(leniency), compliance));
    }

    private static List<Container> inEveryLeniency(WebServer.Make make) {
        List<Container> containers = new ArrayList<>();
        for (Leniency leniency : Leniency.values()) {
            containers.add(new Container(leniency.toString(), application -> make.start(application.with(leniency))));
        }
        return containers;
    }

    @Override
    public String toString() {
        return settings;
    }
}
