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
 * Replaces beans that log in with proxies, if a proxy may stand for the bean. Makes the start fail if limits count
 * failed logins but an authentication manager cannot be watched, because it would compare any number of passwords.
 */
final class WatchedBeans {

    static final String AUTHENTICATE = "authenticate";

    private final UncountedLogins uncounted;
    private final Class<?> managers;
    /** The classes of managers that cannot be watched, by the names of their beans. */
    private final Map<String, Class<?>> unwatched = new ConcurrentSkipListMap<>();

    private volatile boolean hasStarted;
    private @Nullable BeanFactory beans;

    /**
     * Watches managers of a type.
     *
     * @param managers the interface with which a bean should be declared
     */
    WatchedBeans(UncountedLogins uncounted, Class<?> managers) {
        this.uncounted = uncounted;
        this.managers = managers;
    }

    void lookIn(BeanFactory factory) {
        beans = factory;
    }

    /** A manager's proxy, or the manager itself if no proxy may stand for it. */
    Object watch(Object manager, String beanName, Advice advice) {
        Class<?> declared = declaredType(beanName);
        if (isReplaceable(manager.getClass(), declared)) {
            return proxy(manager, advice);
        }
        if (declared != null) {
            unwatched.put(beanName, manager.getClass());
        }
        if (hasStarted) { // a bean that is created when it is first used
            check();
        }
        return manager;
    }

    /** The proxy of another bean, or the bean itself if no proxy may stand for it. */
    Object proxyIfPossible(Object bean, String beanName, Advice advice) {
        return isReplaceable(bean.getClass(), declaredType(beanName)) ? proxy(bean, advice) : bean;
    }

    /** Called when all beans that are created at the start exist. */
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
                        + ") cannot be watched, because the class or its authenticate is final and the bean is"
                        + " declared by this class. So the limits " + endpoints
                        + ", which count failed logins, would not count those.",
                "Declare the bean as " + wanted + ", such as @Bean " + wanted + ' ' + bean + "() { return new "
                        + declared + "(…); }, and inject it as that. Or let " + declared
                        + " be extended: without final, in Kotlin open, and not as a record.",
                null);
    }

    /**
     * Whether a proxy may stand for an object. It may if it can extend the class, or if nothing can inject the object
     * by its class.
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

    /** The type with which a bean is declared; {@code null} for an object of Spring Security that is not a bean. */
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
