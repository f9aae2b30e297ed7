package dev.sluice.spring.method;

import dev.sluice.RateLimited;
import dev.sluice.RateLimiter;
import dev.sluice.open.Sluice;
import dev.sluice.spring.start.OnlyBean;
import java.io.Serial;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Objects;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Wraps limited methods in the interceptor. It runs after authorization, but before transactions begin and caches are
 * read.
 */
final class LimitedMethodsAdvisor extends AbstractPointcutAdvisor {

    /**
     * An order with a higher precedence than that of transactions and caches. By default, they have the lowest
     * precedence.
     */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    @Serial
    private static final long serialVersionUID = 1L;

    private final transient RateLimitInterceptor interceptor;
    private final transient Pointcut pointcut;

    LimitedMethodsAdvisor(ListableBeanFactory beans) {
        this.interceptor = new RateLimitInterceptor(
                SingletonSupplier.of(() -> limiter(beans)),
                SingletonSupplier.of(() ->
                        beans.getBeanProvider(CurrentCaller.class).stream().toList()),
                SingletonSupplier.of(() ->
                        beans.getBeanProvider(PublisherMethods.class).stream().toList()));
        this.pointcut = new LimitedMethods(beans);
        setOrder(ORDER);
    }

    private static RateLimiter limiter(ListableBeanFactory beans) {
        return Objects.requireNonNull(OnlyBean.find(beans, Sluice.class));
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return interceptor;
    }

    /**
     * Matches all limited methods. Throws an exception if a limited method belongs to a class that Spring cannot
     * extend, because Spring's own error would not explain the reason.
     */
    private static final class LimitedMethods extends StaticMethodMatcherPointcut {

        private final ListableBeanFactory beans;

        LimitedMethods(ListableBeanFactory beans) {
            this.beans = beans;
            setClassFilter(new Candidates());
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            LimitedMethod limited = LimitedMethod.of(method, targetClass);
            if (limited != null
                    && Modifier.isFinal(targetClass.getModifiers())
                    && !Proxy.isProxyClass(targetClass)
                    && !ClassUtils.isLambdaClass(targetClass)
                    && isExtended(targetClass)) {
                throw LimitedMethodsCheck.ofFinalClass(limited, targetClass);
            }
            return limited != null;
        }

        private boolean isExtended(Class<?> type) {
            return ClassUtils.getAllInterfacesForClass(type).length == 0
                    || beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, ProxyConfig.class)
                            .isProxyTargetClass();
        }
    }

    /** Matches classes that could contain limited methods. */
    private static final class Candidates implements ClassFilter {

        @Override
        public boolean matches(Class<?> type) {
            return AnnotationUtils.isCandidateClass(type, RateLimited.class);
        }
    }
}
