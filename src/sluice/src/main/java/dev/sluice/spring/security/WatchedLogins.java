package dev.sluice.spring.security;

import dev.sluice.open.Sluice;
import dev.sluice.spring.start.StartFailure;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.util.ClassUtils;

/**
 * Reports failed logins: wrong passwords in forms or with Basic, invalid tokens, refusals by an OAuth2 provider. Wraps
 * authentication managers, because one of the application's own may publish no events. Also wraps Spring Security's
 * event publisher, because a login may use a manager that is not a bean.
 */
public final class WatchedLogins implements BeanPostProcessor, BeanFactoryAware, SmartInitializingSingleton {

    private static final String AUTHENTICATE = "authenticate";
    private static final String SUCCESS = "publishAuthenticationSuccess";
    private static final String FAILURE = "publishAuthenticationFailure";

    private final UncountedLogins uncounted;
    /** The managers that cannot be watched, by the names of their beans. */
    private final Map<String, Class<?>> unwatched = new ConcurrentSkipListMap<>();

    private volatile boolean hasStarted;
    private @Nullable BeanFactory beans;

    /**
     * Reports to these limiters.
     *
     * @param limiters found when they are needed
     */
    public WatchedLogins(ObjectProvider<Sluice> limiters) {
        this.uncounted = new UncountedLogins(limiters::stream);
    }

    @Override
    public void setBeanFactory(BeanFactory factory) {
        beans = factory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AuthenticationEventPublisher && isReplaceable(bean.getClass(), declaredType(beanName))) {
            return proxy(bean, (MethodBeforeAdvice) (method, arguments, target) -> {
                if (method.getName().equals(SUCCESS)) {
                    LoginAttempt.succeeded();
                } else if (method.getName().equals(FAILURE)
                        && arguments[0] instanceof AuthenticationException failure) {
                    LoginAttempt.failed(failure, uncounted);
                }
            });
        }
        if (bean instanceof AuthenticationManager) {
            Class<?> declared = declaredType(beanName);
            if (isReplaceable(bean.getClass(), declared)) {
                return proxy(bean, (MethodInterceptor) this::report);
            }
            if (declared != null) {
                unwatched.put(beanName, bean.getClass());
            }
            if (hasStarted) { // a bean that is created when it is first used
                check();
            }
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        hasStarted = true;
        check();
    }

    /**
     * Stops the start if limits count failed logins, but a manager cannot be watched: it would compare any number of
     * passwords.
     */
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

    private static StartFailure failure(String bean, Class<?> type, String endpoints) {
        String declared = type.getSimpleName();
        return new StartFailure(
                "The AuthenticationManager " + type.getName() + " (the bean " + bean
                        + ") cannot be watched, because the class or its authenticate is final and the bean is"
                        + " declared by this class. So the limits " + endpoints
                        + ", which count failed logins, would not count those.",
                "Declare the bean as AuthenticationManager, such as @Bean AuthenticationManager " + bean
                        + "() { return new " + declared + "(…); }, and inject it as that. Or let " + declared
                        + " be extended: without final, in Kotlin open, and not as a record.",
                null);
    }

    @SuppressWarnings("NullAway") // NullAway does not see that the result may be null
    private @Nullable Object report(MethodInvocation call) throws Throwable {
        return call.getMethod().getName().equals(AUTHENTICATE)
                ? LoginAttempt.make(
                        call.getArguments()[0] instanceof Authentication login ? login : null, call::proceed, uncounted)
                : call.proceed();
    }

    /** Reports the failures of a manager that is not a bean. */
    AuthenticationManager watch(AuthenticationManager manager) {
        return login -> LoginAttempt.make(login, () -> manager.authenticate(login), uncounted);
    }

    /** Whether a proxy may stand for an object: it extends the class, or nobody can inject the object by its class. */
    private boolean isReplaceable(Class<?> type, @Nullable Class<?> declared) {
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

    /** The type that a bean is declared by; {@code null} for an object of Spring Security that is no bean. */
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
