package dev.sluice.internal.servlet.undertow;

import dev.sluice.internal.servlet.contract.Application;
import dev.sluice.internal.servlet.contract.Application.Leniency;
import dev.sluice.internal.servlet.contract.WebServer;
import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.ServletContainer;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceHandle;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;

/** Undertow with its servlet container. */
public record UndertowServer(Undertow undertow, DeploymentManager deployment) implements WebServer {

    public static WebServer start(Application application) throws Exception {
        String contextPath = application.contextPath().isEmpty() ? "/" : application.contextPath();
        DeploymentInfo info = new DeploymentInfo()
                .setClassLoader(UndertowServer.class.getClassLoader())
                .setDeploymentName("application")
                .setEagerFilterInit(
                        true) // otherwise a filter starts only with the first request, too late to prevent the start
                .setContextPath(contextPath)
                .setResourceManager(unwatched(application.root().toAbsolutePath()))
                .addServletContainerInitializer(new ServletContainerInitializerInfo(
                        application.setup().getClass(),
                        () -> new ImmediateInstanceHandle<>(application.setup()),
                        Set.of()));
        application.errorPages().forEach((status, location) -> info.addErrorPage(new ErrorPage(location, status)));
        info.addWelcomePages(application.welcomeFiles());
        DeploymentManager deployment = ServletContainer.Factory.newInstance().addDeployment(info);
        deployment.deploy();
        Undertow.Builder builder = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setIoThreads(1)
                .setWorkerThreads(4)
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                .setHandler(Handlers.path().addPrefixPath(contextPath, deployment.start()));
        if (application.leniency() != Leniency.STRICT) {
            builder.setServerOption(UndertowOptions.ALLOW_UNESCAPED_CHARACTERS_IN_URL, true)
                    .setServerOption(UndertowOptions.DECODE_SLASH, application.leniency() == Leniency.DECODING)
                    .setServerOption(UndertowOptions.DECODE_URL, application.leniency() == Leniency.DECODING);
        }
        Undertow undertow = builder.build();
        undertow.start();
        return new UndertowServer(undertow, deployment);
    }

    /**
     * The files of a directory, without a file watcher: the operating system has few, and closing does not free them.
     */
    private static PathResourceManager unwatched(Path directory) {
        return new PathResourceManager(directory, 1_024, true, false, false);
    }

    @Override
    public int port() {
        return ((InetSocketAddress) undertow.getListenerInfo().get(0).getAddress()).getPort();
    }

    /**
     * Undertow may abandon an asynchronous answer that fails early. In that case there is no timeout and no event, even
     * if the application completes it.
     */
    @Override
    public void awaitReturn(Thread began) {
        WebServer.awaitEndOfTask(began);
    }

    @Override
    public void close() {
        try {
            deployment.stop();
            deployment.undeploy();
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        } finally {
            undertow.stop();
        }
    }
}
