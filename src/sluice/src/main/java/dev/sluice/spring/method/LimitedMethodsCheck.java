package dev.sluice.spring.method;

import dev.sluice.Cost;
import dev.sluice.Endpoint;
import dev.sluice.internal.match.caller.SubjectSources;
import dev.sluice.limits.Limits;
import dev.sluice.limits.SubjectSource;
import dev.sluice.open.Sluice;
import dev.sluice.spring.start.OnlyBean;
import dev.sluice.spring.start.StartFailure;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Makes the startup fail if a method with the {@link dev.sluice.RateLimited} annotation would not be limited, or would
 * not be limited as the file specifies. Runs before the first call can arrive.
 */
record LimitedMethodsCheck(ConfigurableListableBeanFactory beans) implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        List<StartFailure> failures = new ArrayList<>();
        List<LimitedMethod> all = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                all.addAll(proxied(name, failures));
            }
        }
        Sluice sluice = all.isEmpty() ? null : OnlyBean.find(beans, Sluice.class);
        if (sluice != null) {
            without(all, failures, method -> check(method, sluice));
        } else if (!all.isEmpty()) {
            failures.add(failure(
                    all.get(0),
                    "is limited, but this application has no limits",
                    "Write a rate-limits.yml with an endpoint on: " + all.get(0).name()
                            + ", or set sluice.enabled=false to run without limits."));
        }
        if (!failures.isEmpty()) {
            throw StartFailure.of(failures.size() + " methods cannot be limited as they are annotated", failures);
        }
    }

    /** The limited methods of a bean, excluding those that fail a check. */
    private List<LimitedMethod> proxied(String name, List<StartFailure> failures) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type == null || !AnnotationUtils.isCandidateClass(type, dev.sluice.RateLimited.class)) {
            return List.of();
        }
        Class<?> ofUser = ClassUtils.getUserClass(type);
        Map<Method, LimitedMethod> found = Map.of();
        try {
            found = MethodIntrospector.selectMethods(ofUser, (Method method) -> LimitedMethod.of(method, ofUser));
        } catch (IllegalStateException e) {
            if (!(e.getCause() instanceof LinkageError)) {
                throw e;
            } // a lazy bean whose class needs a missing optional class; Spring ignores it too
        }
        Object bean = found.isEmpty() ? null : beans.getSingleton(name);
        return without(found.values(), failures, method -> checkProxy(method, bean));
    }

    /** The given methods, excluding those that fail a check. */
    private static List<LimitedMethod> without(
            Collection<LimitedMethod> methods, List<StartFailure> failures, Consumer<LimitedMethod> check) {
        List<LimitedMethod> good = new ArrayList<>();
        for (LimitedMethod method : methods) {
            try {
                check.accept(method);
                good.add(method);
            } catch (StartFailure e) {
                failures.add(e);
            }
        }
        return good;
    }

    private static void checkProxy(LimitedMethod method, @Nullable Object bean) {
        int modifiers = method.method().getModifiers();
        String what = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isStatic(modifiers) ? "static" : Modifier.isFinal(modifiers) ? "final" : "";
        if (!what.isEmpty()) {
            throw failure(
                    method,
                    "is " + what + ", so Spring cannot put a limit around it",
                    "Make it a method that a subclass can override, or call limiter.run(\"" + method.name()
                            + "\", …) in it.");
        }
        if (bean != null && !isLimited(bean, method.method())) {
            throw failure(
                    method,
                    "cannot be limited, because Spring calls it without a proxy",
                    AopUtils.isJdkDynamicProxy(bean)
                            ? "Declare it in an interface of the bean, or set spring.aop.proxy-target-class=true."
                            : "Spring created the bean too early for a proxy: it is a BeanPostProcessor, or one uses"
                                    + " it. Move the method to a different bean.");
        }
    }

    /** The failure to report if a limited method belongs to a class that Spring cannot extend. */
    static StartFailure ofFinalClass(LimitedMethod method, Class<?> type) {
        return failure(
                method,
                "belongs to a " + (type.isRecord() ? "record" : "final class")
                        + ", so Spring cannot put a limit around it",
                "Make it a class that can be extended, or call limiter.run(\"" + method.name()
                        + "\", …) in the method.");
    }

    private static boolean isLimited(Object bean, Method method) {
        return AopUtils.isJdkDynamicProxy(bean)
                ? Stream.of(bean.getClass().getInterfaces())
                        .anyMatch(face -> ClassUtils.hasMethod(face, method.getName(), method.getParameterTypes()))
                : AopUtils.isAopProxy(bean);
    }

    private static void check(LimitedMethod method, Sluice sluice) {
        Limits limits = sluice.limits();
        List<Endpoint> on = limits.endpoints().stream()
                .filter(endpoint -> method.name().equals(endpoint.on()))
                .toList();
        if (on.isEmpty() && !sluice.hasOn(method.name())) {
            throw unknown(method, limits, sluice.status().file().name());
        }
        on.forEach(endpoint -> checkCost(method, endpoint));
        on.forEach(endpoint -> checkArguments(method, endpoint, limits));
    }

    /**
     * Checks that the cost is known before the call. A cost that is known only later could not be settled, because an
     * annotated method has no access to its decision.
     */
    private static void checkCost(LimitedMethod method, Endpoint endpoint) {
        if (endpoint.cost().charged() || endpoint.cost().reserved()) {
            throw failure(
                    method,
                    "cannot report its cost, but the endpoint " + endpoint.id() + " has a cost that is "
                            + (endpoint.cost().charged() ? "charged" : "reserved"),
                    "Write a cost that is known before the method runs, or remove @RateLimited and call"
                            + " limiter.decideOn(\"" + method.name() + "\", …) in the method.");
        }
    }

    private static StartFailure unknown(LimitedMethod method, Limits limits, String file) {
        Set<String> known = limits.endpoints().stream()
                .flatMap(endpoint -> Stream.ofNullable(endpoint.on()))
                .collect(Collectors.toCollection(TreeSet::new));
        return failure(
                method,
                "is limited by \"" + method.name() + "\", but no endpoint in " + file + " has this name in on"
                        + (known.isEmpty() ? "" : "; known names are " + String.join(", ", known)),
                "Write an endpoint with on: " + method.name() + ", or correct the name.");
    }

    /**
     * Checks that the method has the parameters to which the file refers. If all sources of a subject are arguments,
     * the method must have at least one of them. If the cost is an argument, the method must have this argument.
     */
    private static void checkArguments(LimitedMethod method, Endpoint endpoint, Limits limits) {
        for (String subject : endpoint.per()) {
            List<SubjectSource> chain = limits.subjects().getOrDefault(subject, List.of());
            List<String> arguments = chain.stream()
                    .flatMap(source -> Stream.ofNullable(SubjectSources.argument(source)))
                    .toList();
            arguments.forEach(argument -> checkType(method, endpoint, argument));
            if (!chain.isEmpty()
                    && arguments.size() == chain.size()
                    && arguments.stream().noneMatch(method.parameters()::contains)) {
                throw missing(method, endpoint, "counts per " + subject, arguments.get(0));
            }
        }
        String ofCost = argumentOf(endpoint.cost());
        if (ofCost != null && !method.parameters().contains(ofCost)) {
            throw missing(method, endpoint, "has the cost argument:" + ofCost, ofCost);
        }
    }

    private static @Nullable String argumentOf(Cost cost) {
        return SubjectSources.argument(new SubjectSource(cost.name(), call -> null));
    }

    private static StartFailure missing(LimitedMethod method, Endpoint endpoint, String why, String argument) {
        return failure(
                method,
                "has no parameter " + argument + ", but the endpoint " + endpoint.id() + " " + why,
                method.parameters().isEmpty() && method.method().getParameterCount() > 0
                        ? "Its class was compiled without parameter names. Compile it with -parameters."
                        : "Name one of its parameters " + method.parameters() + " in the file.");
    }

    /**
     * Checks that the type of a parameter has a stable text. If each object had a different text, each call would be
     * counted by its own counter.
     */
    private static void checkType(LimitedMethod method, Endpoint endpoint, String argument) {
        int index = method.parameters().indexOf(argument);
        Class<?> type = index < 0 ? String.class : method.method().getParameterTypes()[index];
        if (!type.isPrimitive() && !hasText(type)) {
            throw failure(
                    method,
                    "has a parameter " + argument + " of type " + type.getSimpleName()
                            + ", which does not override toString(), but the endpoint "
                            + endpoint.id() + " is keyed by its text",
                    "Pass a string, a number, an enum, a UUID, or an object whose class overrides toString().");
        }
    }

    private static boolean hasText(Class<?> type) {
        Method text = ClassUtils.getMethodIfAvailable(type, "toString");
        return CharSequence.class.isAssignableFrom(type) || (text != null && text.getDeclaringClass() != Object.class);
    }

    private static StartFailure failure(LimitedMethod method, String why, String action) {
        return new StartFailure("The method " + method.shown() + ' ' + why + '.', action, null);
    }
}
