package dev.sluice.spring;

import dev.sluice.CostResolver;
import dev.sluice.LimitsException;
import dev.sluice.LoadSignal;
import dev.sluice.RateLimitListener;
import dev.sluice.SubjectResolver;
import dev.sluice.config.Sluice;
import dev.sluice.exchange.CounterStore;
import dev.sluice.exchange.StoreException;
import dev.sluice.limits.ClientOverrideSource;
import dev.sluice.limits.ConfigSource;
import dev.sluice.spring.redis.RedisOfApplication;
import dev.sluice.spring.start.OnlyBean;
import dev.sluice.spring.start.StartFailure;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** Opens the limiter with what the application has: its limits, its properties, its beans. */
record LimiterOpener(Environment environment, SluiceProperties properties, ListableBeanFactory beans) {

    private static final Logger LOG = LoggerFactory.getLogger(LimiterOpener.class);

    /**
     * Opens it.
     *
     * @throws LimitsException with all that is wrong with the limits
     * @throws StartFailure with whatever else hinders
     */
    Sluice open() {
        UnknownProperties.refuse(environment);
        ConfigSource own = OnlyBean.find(beans, ConfigSource.class);
        ConfigSource source =
                own != null ? own : Objects.requireNonNull(LimitsLocation.find(environment), "the limits have gone");
        Sluice.Builder builder = Sluice.builder().config(source);
        if (properties.server() != null) {
            builder.server(properties.server());
        }
        try {
            addBeans(builder);
            count(builder);
            warnOfFileBeside(source);
            return openOutsideOfServer(builder);
        } catch (LimitsException e) {
            throw source instanceof PropertyLimits inProperties ? inProperties.retold(e) : e;
        } catch (StoreException | IllegalArgumentException | IllegalStateException e) {
            throw new StartFailure(
                    "The rate limiter cannot start: " + e.getMessage(),
                    "Correct this, or set sluice.enabled=false to start without limits.",
                    e);
        }
    }

    /**
     * Threads inherit the class loader of the thread that starts them. While a server starts, that is the server's own,
     * and it would take the limiter's threads for its own to stop, which end later, with this bean.
     */
    private Sluice openOutsideOfServer(Sluice.Builder builder) {
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
                    "The limits under sluice.limits are in force, and {} is not read: keep one of the two",
                    file.name());
        }
    }

    /** Resolvers have the names of their beans in the file. */
    private void addBeans(Sluice.Builder builder) {
        beans.getBeansOfType(SubjectResolver.class).forEach(builder::resolver);
        beans.getBeansOfType(CostResolver.class).forEach(builder::costResolver);
        beans.getBeanProvider(RateLimitListener.class).orderedStream().forEach(builder::listener);
        LoadSignal load = OnlyBean.find(beans, LoadSignal.class);
        if (load != null) {
            builder.loadSignal(load);
        }
        ClientOverrideSource clients = OnlyBean.find(beans, ClientOverrideSource.class);
        if (clients != null) {
            builder.overrideSource(clients);
        }
    }

    /** What the properties say of the store goes before the file; the Redis of the application comes last. */
    private void count(Sluice.Builder builder) {
        CounterStore ownStore = OnlyBean.find(beans, CounterStore.class);
        if (ownStore != null) {
            builder.store(ownStore);
        } else if (properties.store() != null) {
            builder.store(properties.store().strip());
        } else {
            builder.storeIfUnsaid(SingletonSupplier.ofNullable(() -> RedisOfApplication.uri(beans)));
        }
    }
}
