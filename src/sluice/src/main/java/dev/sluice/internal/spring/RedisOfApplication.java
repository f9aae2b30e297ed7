package dev.sluice.internal.spring;

import dev.sluice.spring.start.OnlyBean;
import dev.sluice.spring.start.StartFailure;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds the Redis that the application uses. The address comes either from connection details or from the application's
 * own connection factory. Connection details are created from {@code spring.data.redis.*}, by Docker Compose or by
 * Testcontainers. The limiter opens its own connection to that Redis, because it needs different timeouts.
 */
public final class RedisOfApplication {

    private static final List<String> DETAILS = List.of(
            "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
            "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails");

    private static final String FACTORY = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";
    private static final String SPRING_BOOT = "org.springframework.boot.";
    private static final String LETTUCE = "io.lettuce.core.RedisClient";

    private RedisOfApplication() {}

    /**
     * Returns the address as a store URI; {@code null} if the application has no Redis, or does not use Lettuce.
     *
     * @throws StartFailure if there are several addresses, or if a URI cannot express the address
     */
    public static @Nullable String uri(ListableBeanFactory beans) {
        if (!ClassUtils.isPresent(LETTUCE, RedisOfApplication.class.getClassLoader())) {
            return null;
        }
        Object factory = ownFactory(beans);
        if (factory != null) {
            return RedisOfFactory.uri(factory);
        }
        Object details = DETAILS.stream()
                .map(name -> only(beans, name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return details == null ? null : RedisOfDetails.uri(details);
    }

    /**
     * Returns the application's own factory. A factory that Spring Boot creates from the connection details is ignored.
     */
    private static @Nullable Object ownFactory(ListableBeanFactory beans) {
        Object factory = only(beans, FACTORY);
        if (factory == null || !(beans instanceof ConfigurableListableBeanFactory definitions)) {
            return null;
        }
        boolean isOfSpringBoot = Stream.of(definitions.getBeanNamesForType(factory.getClass()))
                .filter(definitions::containsBeanDefinition)
                .map(name -> definitions.getBeanDefinition(name).getFactoryBeanName())
                .anyMatch(maker -> maker != null && maker.startsWith(SPRING_BOOT));
        return isOfSpringBoot ? null : factory;
    }

    private static @Nullable Object only(ListableBeanFactory beans, String type) {
        ClassLoader loader = RedisOfApplication.class.getClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? OnlyBean.find(beans, ClassUtils.resolveClassName(type, loader))
                : null;
    }
}
