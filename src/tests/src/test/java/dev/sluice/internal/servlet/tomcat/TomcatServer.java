package dev.sluice.internal.servlet.tomcat;

import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.Application.Leniency;
import dev.sluice.internal.servlet.contract.WebServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.ErrorPage;

/** Apache Tomcat, embedded. */
public record TomcatServer(Tomcat tomcat) implements WebServer {

    private static final long LAST_MILLIS = 200;
    private static final AtomicInteger STARTED = new AtomicInteger();

    public static WebServer start(Application application) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir("src/tests/target/tomcat");
        tomcat.getEngine().setName("tomcat-" + STARTED.incrementAndGet()); // a name in JMX that no other one has
        tomcat.setConnector(connector(application.leniency()));
        Context context = tomcat.addContext(
                application.contextPath(), application.root().toAbsolutePath().toString());
        // how long it waits for asynchronous calls when it stops, including calls that it has abandoned
        ((StandardContext) context).setUnloadDelay(LAST_MILLIS);
        application.welcomeFiles().forEach(context::addWelcomeFile);
        context.addServletContainerInitializer(application.setup(), null);
        application.errorPages().forEach((status, location) -> {
            ErrorPage page = new ErrorPage();
            page.setErrorCode(status);
            page.setLocation(location);
            context.addErrorPage(page);
        });
        TomcatServer server = new TomcatServer(tomcat);
        List<Throwable> logged = startHearing(tomcat);
        if (context.getState() != LifecycleState.STARTED) {
            server.close();
            IllegalStateException failure = new IllegalStateException("the application did not start");
            logged.forEach(failure::addSuppressed);
            throw failure;
        }
        return server;
    }

    /** Tomcat starts even if its application fails to start, and only logs the reason. */
    private static List<Throwable> startHearing(Tomcat tomcat) throws LifecycleException {
        List<Throwable> heard = new ArrayList<>();
        Handler ear = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (entry.getThrown() != null) {
                    heard.add(entry.getThrown());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger.getLogger("").addHandler(ear);
        try {
            tomcat.start();
        } finally {
            Logger.getLogger("").removeHandler(ear);
        }
        return heard;
    }

    private static Connector connector(Leniency leniency) {
        Connector connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.addUpgradeProtocol(new Http2Protocol());
        if (leniency != Leniency.STRICT) {
            String solidus = leniency == Leniency.DECODING ? "decode" : "passthrough";
            connector.setEncodedSolidusHandling(solidus);
            connector.setEncodedReverseSolidusHandling(solidus);
            connector.setAllowBackslash(leniency == Leniency.DECODING);
            connector.setProperty("relaxedPathChars", "\"<>[\\]^`{|}");
        }
        return connector;
    }

    @Override
    public int port() {
        return tomcat.getConnector().getLocalPort();
    }

    /** Tomcat sometimes forgets the timeout of an answer that fails early. */
    @Override
    public void awaitReturn(Thread began) {
        WebServer.awaitEndOfTask(began);
    }

    @Override
    public void close() {
        try {
            tomcat.stop();
            tomcat.destroy();
        } catch (LifecycleException e) {
            throw new IllegalStateException(e);
        }
    }
}
