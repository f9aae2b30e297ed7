package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.RateLimited;
import dev.sluice.RateLimitedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import org.springframework.aop.Advisor;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Limited methods that return a publisher. */
@Timeout(300)
@Tag("server")
class LimitedReactiveMethodsTest {

    /** The file lets no call be queued on a thread, because reactive calls need none. */
    private static final String LIMITS = """
            pendingCalls: { queued: 0 }
            endpoints:
            - { id: three, on: three, per: [], tiers: [ { period: 1d, threshold: 3 } ] }
            - { id: users, on: users, per: [ principal ], tiers: [ { period: 1d, threshold: 1 } ] }
            - { id: slot, on: slot, per: [], tiers: [ { algorithm: concurrency, threshold: 1 } ] }
            - { id: turns, on: turns, per: [], tiers:
                [ { period: 1s, threshold: 5, algorithm: leaky-bucket, queue: 5 }, { algorithm: concurrency, threshold: 3 } ] }
            """;

    @TempDir
    private static Path directory;

    private RunningApplication application;
    private Reactive methods;

    /** Methods of all kinds. */
    static class Reactive {

        private final AtomicInteger begun = new AtomicInteger();

        int begun() {
            return begun.get();
        }

        @RateLimited("three")
        public Mono<Integer> number() {
            return Mono.just(begun.incrementAndGet());
        }

        @RateLimited("three")
        public Flux<Integer> numbers() {
            return Flux.range(begun.incrementAndGet(), 3);
        }

        @RateLimited("three")
        public Publisher<Integer> published() {
            return Mono.just(begun.incrementAndGet());
        }

        @RateLimited("users")
        public Mono<String> ofUser() {
            return Mono.just("yours");
        }

        @RateLimited("slot")
        public Mono<String> one(Mono<String> source) {
            return source;
        }

        @RateLimited("slot")
        public Flux<String> several(Flux<String> source) {
            return source;
        }

        @RateLimited("slot")
        public Mono<String> broken() {
            throw new IllegalStateException("no paper");
        }

        @RateLimited("turns")
        public Mono<String> inTurn(Mono<String> source) {
            return source;
        }
    }

    /** An application with such methods, and with an aspect that asks which of them is called. */
    @Import({Shop.class, Reactive.class})
    static class WithMethods {

        private static final AtomicInteger ADVISED = new AtomicInteger();

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor aspect() {
            NameMatchMethodPointcut numbers = new NameMatchMethodPointcut();
            numbers.addMethodName("number");
            return new DefaultPointcutAdvisor(numbers, (MethodInterceptor) invocation -> {
                assertThat(ExposeInvocationInterceptor.currentInvocation().getMethod())
                        .isEqualTo(invocation.getMethod());
                ADVISED.incrementAndGet();
                return invocation.proceed();
            });
        }
    }

    @BeforeEach
    void start() throws IOException {
        Path limits = Files.writeString(directory.resolve("limits.yml"), LIMITS);
        application = RunningApplication.startWithoutServer(WithMethods.class, "sluice.config=" + limits);
        methods = application.bean(Reactive.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private static void assertRefused(Publisher<?> result) {
        assertThatThrownBy(() -> Flux.from(result).blockLast(Duration.ofSeconds(10)))
                .isInstanceOf(RateLimitedException.class);
    }

    @Test
    void eachSubscriptionIsACall() {
        Mono<Integer> number = methods.number();
        assertThat(methods.begun()).isZero();
        WithMethods.ADVISED.set(0);
        assertThat(number.block()).isEqualTo(1);
        assertThat(number.block()).isEqualTo(2);
        assertThat(WithMethods.ADVISED).as("the aspect sees each call").hasValue(2);
        assertThat(methods.numbers().collectList().block()).isEqualTo(List.of(3, 4, 5));
        assertRefused(number);
        assertRefused(methods.numbers());
        assertRefused(methods.published());
        assertThat(methods.begun()).isEqualTo(3);
    }

    @Test
    void aPublisherIsDecidedInTheSameWay() {
        for (int i = 0; i < 3; i++) {
            assertThat(Mono.from(methods.published()).block()).isEqualTo(i + 1);
        }
        assertRefused(methods.published());
    }

    @Test
    void theSubscriberIsTheCaller() {
        Mono<String> ofUser = methods.ofUser();
        Mono<String> ofAnn = ofUser.contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                new TestingAuthenticationToken("ann", "", AuthorityUtils.NO_AUTHORITIES)));
        Mono<String> ofBob = ofUser.contextWrite(ReactiveSecurityContextHolder.withAuthentication(
                new TestingAuthenticationToken("bob", "", AuthorityUtils.NO_AUTHORITIES)));
        assertThat(ofAnn.block()).isEqualTo("yours");
        assertThat(ofBob.block()).isEqualTo("yours");
        assertRefused(ofAnn);
        assertThat(ofUser.block()).isEqualTo("yours");
        assertRefused(ofUser);
    }

    @Test
    void aSlotIsFreeBeforeTheLastSignal() {
        assertThat(methods.one(Mono.just("done")).repeat(50).count().block()).isEqualTo(51);
        assertThat(methods.one(Mono.empty()).repeat(50).count().block()).isZero();
        assertThat(methods.several(Flux.just("a", "b")).repeat(50).count().block())
                .isEqualTo(102);
        assertThat(methods.one(Mono.<String>error(new IOException("no ink")))
                        .onErrorResume(IOException.class, failed -> methods.one(Mono.just("again")))
                        .block())
                .isEqualTo("again");
        assertThatThrownBy(() -> methods.broken().block()).hasMessage("no paper");
        assertThat(methods.one(Mono.just("done")).block()).isEqualTo("done");
    }

    @Test
    void aSlotIsHeldUntilTheLastSignal() {
        Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
        Flux<String> running = methods.several(sink.asFlux());
        Disposable subscribed = running.subscribe();
        sink.emitNext("a", Sinks.EmitFailureHandler.FAIL_FAST);
        assertRefused(methods.one(Mono.just("b")));
        subscribed.dispose();
        assertThat(methods.one(Mono.just("b")).block()).isEqualTo("b");

        Disposable never = methods.one(Mono.never()).subscribe();
        assertRefused(methods.several(Flux.just("c")));
        never.dispose();
        assertThat(methods.several(Flux.just("c", "d", "e")).next().block()).isEqualTo("c");
        assertThat(methods.one(Mono.just("b")).block()).isEqualTo("b");
    }

    @Test
    void aQueuedSubscriptionHoldsNoThreadAndMayBeCancelled() {
        Mono<String> inTurn = methods.inTurn(Mono.just("done"));
        assertThat(inTurn.block()).isEqualTo("done");
        for (int i = 0; i < 2; i++) {
            inTurn.subscribe().dispose();
            inTurn.subscribe().dispose();
            assertThat(inTurn.block(Duration.ofSeconds(10))).isEqualTo("done");
        }
    }

    @Test
    void manyThreadsNeverExceedTheThreshold() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Mono<String> work = methods.one(Mono.fromSupplier(() -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            return "done";
        }));
        Long done = Flux.range(0, 2_000)
                .parallel(8)
                .runOn(reactor.core.scheduler.Schedulers.parallel())
                .flatMap(number -> work.onErrorComplete(RateLimitedException.class))
                .sequential()
                .count()
                .block();
        assertThat(done).isPositive();
        assertThat(most).hasValue(1);
        assertThat(methods.one(Mono.just("done")).block()).isEqualTo("done");
    }

    @Test
    void cancellingAPendingDecisionIsNotAnError() {
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            assertThat(methods.inTurn(Mono.just("first")).block()).isEqualTo("first");
            for (int i = 0; i < 10; i++) {
                methods.inTurn(Mono.just("given up"))
                        .subscribe(unused -> {}, refused -> {})
                        .dispose();
            }
            assertThat(dropped).isEmpty();
        } finally {
            Hooks.resetOnErrorDropped();
        }
    }
}
