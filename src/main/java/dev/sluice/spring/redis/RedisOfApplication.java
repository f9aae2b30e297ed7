package dev.sluice.spring.redis;

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
 * Where the Redis is that the application uses. What tells it is read by the names of its properties, which Spring Boot 3
 * and 4 give to interfaces of different names: the connection details that {@code spring.data.redis.*}, Docker Compose or
 * Testcontainers make, or a connection factory that the application makes itself. Instances then count together over a
 * connection of their own, with the time-outs that limits need.
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
     * Its address as a store's uri; {@code null} if the application has none, or no Lettuce to reach it.
     *
     * @throws StartFailure if it cannot be told which Redis that is, or how to reach it
     */
    public static @Nullable String uri(ListableBeanFactory beans) {
        if (!ClassUtils.isPresent(LETTUCE, RedisOfApplication.class.getClassLoader())) {
            return null;
        }
        Object factory = ownFactory(beans);
        if (factory != null) {
            return new RedisInProperties(factory, RedisInProperties.OF_FACTORY).uri();
        }
        Object details = DETAILS.stream()
                .map(name -> only(beans, name))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return details == null ? null : new RedisInProperties(details, RedisInProperties.OF_DETAILS).uri();
    }

    /** One that Spring Boot makes is made of the details. */
    private static @Nullable Object ownFactory(ListableBeanFactory beans) {
        Object factory = only(beans, FACTORY);
        if (factory == null || !(beans instanceof ConfigurableListableBeanFactory definitions)) {
            return null;
        }
        boolean ofSpringBoot = Stream.of(definitions.getBeanNamesForType(factory.getClass()))
                .filter(definitions::containsBeanDefinition)
                .map(name -> definitions.getBeanDefinition(name).getFactoryBeanName())
                .anyMatch(maker -> maker != null && maker.startsWith(SPRING_BOOT));
        return ofSpringBoot ? null : factory;
    }

    private static @Nullable Object only(ListableBeanFactory beans, String type) {
        ClassLoader loader = RedisOfApplication.class.getClassLoader();
        return ClassUtils.isPresent(type, loader)
                ? OnlyBean.find(beans, ClassUtils.resolveClassName(type, loader))
                : null;
    }
}
