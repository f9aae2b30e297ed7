package dev.sluice.spring.method;

import dev.sluice.RateLimited;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * A method that is annotated with {@link RateLimited}.
 *
 * @param method the method in the class, even if the annotation is on an interface
 * @param name the value of the annotation
 * @param parameters the names of the method's parameters; empty if the class was compiled without them
 */
record LimitedMethod(Method method, String name, List<String> parameters) {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    /** The limited method; {@code null} if neither the class nor an interface has the annotation. */
    static @Nullable LimitedMethod of(Method called, Class<?> type) {
        Method method = AopUtils.getMostSpecificMethod(called, type);
        if (!AnnotationUtils.isCandidateClass(method.getDeclaringClass(), RateLimited.class)) {
            return null;
        }
        RateLimited limited = AnnotatedElementUtils.findMergedAnnotation(method, RateLimited.class);
        if (limited == null) {
            return null;
        }
        @Nullable String[] names = NAMES.getParameterNames(method);
        return new LimitedMethod(method, limited.value(), names == null ? List.of() : named(names));
    }

    private static List<String> named(@Nullable String[] names) {
        return Stream.of(names).map(name -> name == null ? "" : name).toList();
    }

    /** Whether the method returns a stage. If so, the method can begin later, after the decision about the call. */
    boolean returnsStage() {
        Class<?> type = method.getReturnType();
        return type == CompletionStage.class || type == CompletableFuture.class;
    }

    /** The method's name for messages, such as {@code Reports.report(String)}. */
    String shown() {
        StringBuilder types = new StringBuilder();
        for (Class<?> type : method.getParameterTypes()) {
            types.append(types.isEmpty() ? "" : ", ").append(type.getSimpleName());
        }
        return method.getDeclaringClass().getSimpleName() + '.' + method.getName() + '(' + types + ')';
    }
}
