package dev.sluice.spring.start;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Finds the only bean of a given type. This class serves the types of which the limiter can use only one bean. */
public final class OnlyBean {

    private OnlyBean() {}

    /**
     * Finds the bean; {@code null} if there is none.
     *
     * @throws StartFailure if there are several beans, and none of them is primary
     */
    public static <T> @Nullable T find(ListableBeanFactory beans, Class<T> type) {
        try {
            return beans.getBeanProvider(type).getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new StartFailure(
                    "The rate limiter can use only one " + type.getSimpleName() + ", but the application has several: "
                            + String.join(", ", beans.getBeanNamesForType(type)) + '.',
                    "Mark one of them @Primary.",
                    e);
        }
    }
}
