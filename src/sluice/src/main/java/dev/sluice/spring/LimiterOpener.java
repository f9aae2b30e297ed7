package dev.sluice.spring;

import dev.sluice.CostResolver;
import dev.sluice.LimitsException;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.SubjectResolver;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.internal.spring.RedisOfApplication;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ClientSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.SluiceCustomizer;
import dev.sluice.spring.start.OnlyBean;
import dev.sluice.spring.start.StartFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** Opens the limiter with the limits, properties and beans of the application. */
record LimiterOpener(Environment environment, SluiceProperties properties, ListableBeanFactory beans) {

    private static final Logger LOG = LoggerFactory.getLogger(LimiterOpener.class);

    /**
     * Opens the limiter.
     *
     * @throws LimitsException if the limits contain mistakes. The exception lists all mistakes
     * @throws StartFailure if the limiter cannot start for any other reason
     */
    Sluice open() {
        UnknownProperties.refuse(environment);
        warnIfSwitchedOffTooLate();
        ConfigSource own = OnlyBean.find(beans, ConfigSource.class);
        ConfigSource source = own != null ? own : sourceOfProperties();
        Sluice.Builder builder = Sluice.builder().config(source);
        if (properties.server() != null) {
            builder.server(properties.server());
        }
        try {
            addBeans(builder);
            setStore(builder);
            beans.getBeanProvider(SluiceCustomizer.class).orderedStream().forEach(one -> one.customize(builder));
            warnOfFileBeside(source);
            return openWithApplicationLoader(builder);
        } catch (StoreException | IllegalArgumentException | IllegalStateException e) {
            throw new StartFailure(
                    "The rate limiter cannot start: " + e.getMessage(),
                    "Correct this, or set sluice.enabled=false to start without limits.",
                    e);
        }
    }

    /**
     * Logs a warning if the limiter was disabled too late, that is, after ahead-of-time processing. A limiter that was
     * disabled earlier is never opened, so this method is not called.
     */
    private void warnIfSwitchedOffTooLate() {
        if (!properties.enabled()) {
            LOG.warn(
                    "sluice.enabled=false has no effect: this application was processed ahead of time with limits, and "
                            + "they are in force. Set it when you build the application.");
        }
    }

    private ConfigSource sourceOfProperties() {
        ConfigSource found = LimitsLocation.find(environment);
        if (found == null) {
            throw new StartFailure(
                    "This application was processed ahead of time with limits, and now none were found: "
                            + LimitsLocation.nothingFound() + '.',
                    "Put the limits in one of these places, or build the application without limits.",
                    null);
        }
        return found;
    }

    /**
     * Opens the limiter with the application's class loader as the context class loader, because the limiter's threads
     * inherit it. While a server starts, the current thread has the server's class loader. If the limiter's threads
     * inherited the server's class loader, the server would report the threads as a leak at shutdown, because they end
     * only when the limiter bean is closed.
     */
    private Sluice openWithApplicationLoader(Sluice.Builder builder) {
        Thread starting = Thread.currentThread();
        ClassLoader ofServer = starting.getContextClassLoader();
        starting.setContextClassLoader(
                beans instanceof ConfigurableBeanFactory application ? application.getBeanClassLoader() : ofServer);
        try {
            return builder.open();
        } finally {
            starting.setContextClassLoader(ofServer);
        }
    }

    private static void warnOfFileBeside(ConfigSource source) {
        ConfigSource file = source instanceof PropertyLimits ? LimitsLocation.firstFile() : null;
        if (file != null) {
            LOG.warn(
                    "The limits under sluice.limits are in force, and {} is ignored. Keep only one of the two.",
                    file.name());
        }
    }

    /**
     * Adds the application's resolvers and client sources (under their bean names), its listeners, load signal and
     * override source.
     */
    private void addBeans(Sluice.Builder builder) {
        beans.getBeansOfType(SubjectResolver.class).forEach(builder::resolver);
        beans.getBeansOfType(CostResolver.class).forEach(builder::costResolver);
        beans.getBeansOfType(ClientSource.class).forEach(builder::clientSource);
        beans.getBeanProvider(RateLimitListener.class).orderedStream().forEach(builder::listener);
        LoadSignal load = OnlyBean.find(beans, LoadSignal.class);
        if (load != null) {
            builder.loadSignal(load);
        }
        ClientOverrideSource overrides = OnlyBean.find(beans, ClientOverrideSource.class);
        if (overrides != null) {
            builder.overrideSource(overrides);
        }
    }

    /**
     * Sets the store to the first of the following that exists: the application's store bean, the store in the
     * property, the store in the file, or the application's Redis.
     */
    private void setStore(Sluice.Builder builder) {
        CounterStore ownStore = OnlyBean.find(beans, CounterStore.class);
        if (ownStore != null) {
            builder.store(ownStore);
        } else if (properties.store() != null) {
            builder.store(properties.store().strip());
        } else {
            builder.defaultStore(SingletonSupplier.ofNullable(this::redisOfApplication));
        }
    }

    private @Nullable String redisOfApplication() {
        String uri = RedisOfApplication.uri(beans);
        if (uri != null) {
            LOG.info("Neither sluice.store nor the limits name a store, so instances count together in the Redis of"
                    + " this application. Set sluice.store=memory: to let each count alone.");
        }
        return uri;
    }
}
