package dev.sluice.spring.security;

import dev.sluice.spring.start.StartFailure;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.core.Authentication;
import org.springframework.util.ClassUtils;

/**
 * Replaces beans that process logins with proxies, if a proxy can take the bean's place. If limits count failed logins
 * and an authentication manager cannot be watched, the startup fails, because the manager would allow an unlimited
 * number of password guesses.
 */
final class WatchedBeans {

    static final String AUTHENTICATE = "authenticate";

    private final UncountedLogins uncounted;
    private final Class<?> managers;
    /** The classes of managers that cannot be watched, by bean name. */
    private final Map<String, Class<?>> unwatched = new ConcurrentSkipListMap<>();

    private volatile boolean hasStarted;
    private @Nullable BeanFactory beans;

    /**
     * Creates an object that watches managers of one type.
     *
     * @param managers the interface that beans should have as their declared type
     */
    WatchedBeans(UncountedLogins uncounted, Class<?> managers) {
        this.uncounted = uncounted;
        this.managers = managers;
    }

    void lookIn(BeanFactory factory) {
        beans = factory;
    }

    /** A proxy for the manager, or the manager itself if no proxy can replace it. */
    Object watch(Object manager, String beanName, Advice advice) {
        Class<?> declared = declaredType(beanName);
        if (isReplaceable(manager.getClass(), declared)) {
            return proxy(manager, advice);
        }
        if (declared != null) {
            unwatched.put(beanName, manager.getClass());
        }
        if (hasStarted) { // a lazy bean, which is created on first use
            check();
        }
        return manager;
    }

    /** A proxy for a bean other than a manager, or the bean itself if no proxy can replace it. */
    Object proxyIfPossible(Object bean, String beanName, Advice advice) {
        return isReplaceable(bean.getClass(), declaredType(beanName)) ? proxy(bean, advice) : bean;
    }

    /** Called after startup, when all beans that are not lazy have been created. */
    void started() {
        hasStarted = true;
        check();
    }

    private void check() {
        List<String> endpoints = unwatched.isEmpty() ? List.of() : uncounted.endpoints();
        if (!endpoints.isEmpty()) {
            throw StartFailure.of(
                    unwatched.size() + " authentication managers cannot be watched",
                    unwatched.entrySet().stream()
                            .map(one -> failure(one.getKey(), one.getValue(), String.join(", ", endpoints)))
                            .toList());
        }
    }

    private StartFailure failure(String bean, Class<?> type, String endpoints) {
        String declared = type.getSimpleName();
        String wanted = managers.getSimpleName();
        return new StartFailure(
                "The " + wanted + ' ' + type.getName() + " (the bean " + bean
                        + ") cannot be watched, because the class or its authenticate method is final and the bean"
                        + " is declared with this class. So the limits " + endpoints
                        + ", which count failed logins, would not count its failed logins.",
                "Declare the bean as " + wanted + ", such as @Bean " + wanted + ' ' + bean + "() { return new "
                        + declared + "(…); }, and inject it with this type. Or make " + declared
                        + " a class that can be extended: not final, in Kotlin open, and not a record.",
                null);
    }

    /**
     * Whether a proxy can replace an object. This is possible if a proxy can extend the object's class, or if the
     * object cannot be injected by its class.
     */
    private static boolean isReplaceable(Class<?> type, @Nullable Class<?> declared) {
        return isExtensible(type)
                || type.isHidden()
                || Proxy.isProxyClass(type)
                || (declared != null && (declared.isInterface() || !declared.isAssignableFrom(type)));
    }

    private static boolean isExtensible(Class<?> type) {
        Method authenticate = ClassUtils.getMethodIfAvailable(type, AUTHENTICATE, Authentication.class);
        boolean isFixed = authenticate != null && Modifier.isFinal(authenticate.getModifiers());
        return !isFixed && !Modifier.isFinal(type.getModifiers()) && !type.isSealed();
    }

    /** The declared type of a bean; {@code null} for a Spring Security object that is not a bean. */
    private @Nullable Class<?> declaredType(String beanName) {
        return beans instanceof ConfigurableListableBeanFactory known && known.containsBeanDefinition(beanName)
                ? known.getMergedBeanDefinition(beanName).getResolvableType().resolve()
                : null;
    }

    private static Object proxy(Object bean, Advice advice) {
        ProxyFactory proxy = new ProxyFactory(bean);
        proxy.setProxyTargetClass(isExtensible(bean.getClass()));
        proxy.addAdvice(advice);
        return proxy.getProxy(bean.getClass().getClassLoader());
    }
}
