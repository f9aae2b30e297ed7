package dev.sluice;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits the calls to a method of a Spring bean. The endpoints with the given name in {@code on} define the limits:
 *
 * <pre>{@code
 * @RateLimited("report") // { id: report, on: report, per: [ "argument:customerId" ], tiers: [ … ] }
 * public Report report(String customerId) { … }
 * }</pre>
 *
 * <p>A refused call throws a {@link RateLimitedException}. If the method returns a {@code CompletionStage}, a {@code
 * Mono} or a {@code Flux}, that result fails with the exception instead. Under a {@code concurrency} limit, a call
 * holds its slot until the method or the returned result has completed.
 *
 * <p>Calls that a bean makes to its own methods are not limited, because they do not go through Spring's proxy.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface RateLimited {

    /** The value of {@code on} in the endpoints. */
    String value();
}
