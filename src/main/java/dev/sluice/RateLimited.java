package dev.sluice;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits the calls of a method of a Spring bean, by the endpoints that name it with {@code on}:
 *
 * <pre>{@code
 * @RateLimited("report") // { id: report, on: report, per: [ "argument:customerId" ], tiers: [ … ] }
 * public Report report(String customerId) { … }
 * }</pre>
 *
 * <p>A refused call throws a {@link RateLimitedException}; where the method returns a {@code CompletionStage}, a {@code
 * Mono} or a {@code Flux}, that fails with it. A place of a {@code concurrency} limit is held until the method, or what it
 * returns of these, has ended. A bean that calls a method of its own does not pass through Spring's proxy, so such a call is
 * not limited.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface RateLimited {

    /** The name that endpoints have in {@code on}. */
    String value();
}
