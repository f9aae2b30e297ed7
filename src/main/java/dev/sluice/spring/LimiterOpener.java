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
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/** Opens the limiter with what the application has: its limits, its properties, its beans. */
record LimiterOpener(Environment environment, SluiceProperties properties, ListableBeanFactory beans) {

    /**
     * Opens it.
     *
     * @throws LimitsException with all that is wrong with the limits
     * @throws StartFailure with whatever else hinders
     */
    Sluice open() {
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
            return builder.open();
        } catch (LimitsException e) {
            throw source instanceof PropertyLimits inProperties ? inProperties.retold(e) : e;
        } catch (StoreException | IllegalArgumentException | IllegalStateException e) {
            throw new StartFailure(
                    "The rate limiter cannot start: " + e.getMessage(),
                    "Correct this, or set sluice.enabled=false to start without limits.",
                    e);
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
