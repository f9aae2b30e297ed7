package dev.sluice.servlet;

import dev.sluice.LimitsException;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.config.source.ConfigLocation;
import dev.sluice.internal.servlet.inflight.ParkedCalls.Parking;
import dev.sluice.internal.text.SafeText;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.nio.file.NoSuchFileException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.slf4j.ILoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/** Opens the limiter that a filter's init-params describe. This class defines the names of all init-params. */
final class ConfiguredLimiter {

    private static final String CONFIG = "config";
    private static final String STORE = "store";
    private static final String PARKING = "parking";
    private static final Set<String> KNOWN =
            Set.of(CONFIG, STORE, PARKING, ApplicationParts.REFUSAL_HANDLER, ApplicationParts.CUSTOMIZER);
    private static final String WEB_INF = "/WEB-INF/";
    private static final String IN_APPLICATION = WEB_INF + "rate-limits.yml";
    private static final String ON_CLASS_PATH = "classpath:rate-limits.yml";

    private ConfiguredLimiter() {}

    /**
     * Opens the limiter.
     *
     * @throws ServletException if the limiter cannot be opened. The message lists all mistakes. The application then
     *     does not start
     */
    static Sluice open(FilterConfig config) throws ServletException {
        for (String name : initParams(config)) {
            if (!KNOWN.contains(name)) {
                throw new ServletException(where(config, name) + " is unknown; expected: " + CONFIG
                        + " (for example /WEB-INF/rate-limits.yml, classpath:rate-limits.yml or"
                        + " /etc/shop/rate-limits.yml), "
                        + STORE + " (for example redis://localhost:6379), " + PARKING + " (none or turns), "
                        + ApplicationParts.REFUSAL_HANDLER + " or " + ApplicationParts.CUSTOMIZER + " (a class)");
            }
        }
        String location = location(config);
        try {
            Sluice.Builder sluice = Sluice.builder()
                    .config(
                            location.startsWith(WEB_INF)
                                    ? new WebInfSource(config.getServletContext(), location)
                                    : ConfigLocation.source(location));
            String store = config.getInitParameter(STORE);
            if (store != null) {
                sluice.store(store.strip());
            }
            ApplicationParts.customize(config, sluice);
            return sluice.open();
        } catch (LimitsException e) {
            throw new ServletException(
                    "filter " + config.getFilterName() + " cannot start: the limits in " + location
                            + " cannot be used:\n" + e.getMessage(),
                    e);
        } catch (IllegalArgumentException | IllegalStateException | StoreException e) {
            throw new ServletException(
                    "filter " + config.getFilterName() + " cannot start: its store cannot be used: " + e.getMessage(),
                    e);
        }
    }

    /**
     * If the application has no SLF4J provider, all messages that Sluice logs are lost. In that case, this method
     * writes to the container's log which limits are in force.
     */
    static void announce(FilterConfig config, Sluice limiter, ILoggerFactory loggers) {
        if (loggers instanceof NOPLoggerFactory) {
            int endpoints = limiter.limits().endpoints().size();
            config.getServletContext()
                    .log("filter " + config.getFilterName() + ": "
                            + limiter.status().file().name() + " is in force: " + endpoints
                            + (endpoints == 1 ? " endpoint" : " endpoints")
                            + ". Sluice logs nothing else, because the application has no SLF4J provider. Add"
                            + " one to WEB-INF/lib, for example slf4j-jdk14, to see warnings, reloads and"
                            + " outages of the store.");
        }
    }

    /** Rejects init-params for a filter that was constructed with a limiter, because the filter would ignore them. */
    static void refuseInitParams(FilterConfig config) throws ServletException {
        for (String name : initParams(config)) {
            if (!name.equals(PARKING)) {
                throw new ServletException(where(config, name)
                        + " has no effect, because this filter was constructed with a limiter; remove the init-param,"
                        + " or let the container construct the filter");
            }
        }
    }

    static Parking parking(FilterConfig config) throws ServletException {
        String given = config.getInitParameter(PARKING);
        if (given == null) {
            return Parking.TURNS;
        }
        for (Parking parking : Parking.values()) {
            if (given.strip().equals(parking.word())) {
                return parking;
            }
        }
        throw new ServletException(
                where(config, PARKING) + " is \"" + SafeText.of(given) + "\"; expected none or turns");
    }

    private static String location(FilterConfig config) throws ServletException {
        String given = config.getInitParameter(CONFIG);
        if (given == null) {
            return exists(config.getServletContext(), IN_APPLICATION) ? IN_APPLICATION : ON_CLASS_PATH;
        }
        if (given.isBlank()) {
            throw new ServletException(where(config, CONFIG) + " is empty; without it the filter looks for "
                    + IN_APPLICATION + ", then for " + ON_CLASS_PATH);
        }
        return given.strip();
    }

    private static boolean exists(ServletContext context, String path) throws ServletException {
        try {
            return context.getResource(path) != null;
        } catch (MalformedURLException e) {
            throw new ServletException(path + " cannot be read", e);
        }
    }

    private static List<String> initParams(FilterConfig config) {
        return Collections.list(config.getInitParameterNames());
    }

    private static String where(FilterConfig config, String param) {
        return "filter " + config.getFilterName() + ": init-param \"" + param + '"';
    }

    /** A file of the web application. It can be inside a packed WAR. */
    private record WebInfSource(ServletContext context, String name) implements ConfigSource {

        @Override
        public byte[] read() throws IOException {
            try (InputStream in = context.getResourceAsStream(name)) {
                if (in == null) {
                    throw new NoSuchFileException(name);
                }
                return in.readNBytes(MAX_BYTES + 1);
            }
        }
    }
}
