package dev.sluice.spring.method;

import dev.sluice.http.Answers;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RefusalHandler;
import dev.sluice.spring.start.OnlyBean;
import jakarta.servlet.http.HttpServletRequest;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.Advisor;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.HandlerExceptionResolver;
import reactor.core.publisher.Mono;

/**
 * Limits methods with the {@link dev.sluice.RateLimited} annotation. For each supported library on the class path, adds
 * a bean that finds the caller or that responds to refused calls.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MethodInterceptor.class)
@Import(MethodConfiguration.Proxies.class)
public class MethodConfiguration {

    MethodConfiguration() {}

    @Bean("dev.sluice.limitedMethods")
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor limitedMethods(ListableBeanFactory beans) {
        return new LimitedMethodsAdvisor(beans);
    }

    @Bean("dev.sluice.limitedMethodsCheck")
    @Lazy(false)
    static SmartInitializingSingleton limitedMethodsCheck(ConfigurableListableBeanFactory beans) {
        return new LimitedMethodsCheck(beans);
    }

    /**
     * Registers the proxy creator, just as {@code @EnableTransactionManagement} does. All advisors share this creator.
     */
    static final class Proxies implements ImportBeanDefinitionRegistrar {

        Proxies() {}

        @Override
        public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }

    /** Finds the request in a servlet application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RequestContextHolder.class, HttpServletRequest.class})
    static class Requests {

        @Bean("dev.sluice.currentRequest")
        CurrentCaller currentRequest() {
            return new CurrentRequest();
        }
    }

    /** Finds the authenticated caller if Spring Security is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SecurityContextHolder.class)
    static class Security {

        @Bean("dev.sluice.currentAuthentication")
        CurrentCaller currentAuthentication() {
            return new CurrentAuthentication();
        }
    }

    /** Limits each subscription and finds the subscriber if Reactor and Spring Security are present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Mono.class, SecurityContextHolder.class})
    static class SecuredReactor {

        @Bean("dev.sluice.reactiveResults")
        PublisherMethods reactiveResults() {
            return new ReactiveResults(ReactiveCallers::authenticated);
        }
    }

    /** Limits each subscription if Reactor is present without Spring Security. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    @ConditionalOnMissingClass("org.springframework.security.core.context.SecurityContextHolder")
    static class Reactor {

        @Bean("dev.sluice.reactiveResults")
        PublisherMethods reactiveResults() {
            return new ReactiveResults(Mono::empty);
        }
    }

    /** Responds to refused calls in a Spring MVC application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(HandlerExceptionResolver.class)
    @ConditionalOnBean(Sluice.class)
    static class Mvc {

        @Bean("dev.sluice.refusedInMvc")
        RefusedInMvc refusedInMvc(Sluice sluice, ListableBeanFactory beans) {
            return new RefusedInMvc(new Answers(sluice, sluice.clock()), OnlyBean.find(beans, RefusalHandler.class));
        }
    }

    /** Responds to refused calls in a WebFlux application. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnBean(Sluice.class)
    static class WebFlux {

        @Bean("dev.sluice.refusedInWebFlux")
        RefusedInWebFlux refusedInWebFlux(Sluice sluice, ListableBeanFactory beans) {
            return new RefusedInWebFlux(
                    new Answers(sluice, sluice.clock()),
                    OnlyBean.find(beans, dev.sluice.webflux.ReactiveRefusalHandler.class));
        }
    }
}
