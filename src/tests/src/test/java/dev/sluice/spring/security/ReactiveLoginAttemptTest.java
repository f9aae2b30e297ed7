package dev.sluice.spring.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.Decision;
import dev.sluice.RateLimitedException;
import dev.sluice.TestCall;
import dev.sluice.internal.http.request.GuardedLogins;
import dev.sluice.internal.http.request.RequestLogins;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** The permit of an attempt counts or comes back, however its chain ends. */
@Timeout(60)
class ReactiveLoginAttemptTest {

    private static final Authentication ANN = UsernamePasswordAuthenticationToken.unauthenticated("ann", "guess");
    private static final Authentication KNOWN = UsernamePasswordAuthenticationToken.authenticated("ann", "", List.of());

    private final Sluice sluice = Sluice.builder().config(GivenFile.of("""
            - { id: account, pathPattern: /**, per: [ login ], count: { outcome: login-failure },
                tiers: [ { period: 1d, threshold: 3 } ] }
            - { id: address, pathPattern: /**, per: [ ip ], count: { outcome: login-failure },
                tiers: [ { period: 1d, threshold: 9 } ] }
            """)).open();

    private final UncountedLogins uncounted = UncountedLogins.inReactor(() -> Stream.of(sluice));
    private final AtomicInteger asked = new AtomicInteger();

    @AfterEach
    void close() {
        sluice.close();
    }

    private Decision call() {
        return sluice.decide(TestCall.post("/login").from("10.0.0.1"));
    }

    private static RequestLogins logins(Decision decision) {
        RequestLogins logins = new RequestLogins();
        logins.follow(List.of(new GuardedLogins(Objects.requireNonNull(decision.ticket()), (what, fault) -> {
            throw new AssertionError(what, fault);
        })));
        return logins;
    }

    private Mono<Authentication> attempt(RequestLogins request, Supplier<Mono<Authentication>> manager) {
        return ReactiveLoginAttempt.make(
                        ANN,
                        () -> {
                            asked.incrementAndGet();
                            return manager.get();
                        },
                        uncounted)
                .contextWrite(context -> context.put(RequestLogins.class, request));
    }

    private Mono<Authentication> attempt(Supplier<Mono<Authentication>> manager) {
        return Mono.defer(() -> {
            Decision call = call();
            return attempt(logins(call), manager).doFinally(signal -> call.ended(401));
        });
    }

    /** How many more failed logins the account has. */
    private int left() {
        int left = 0;
        while (refusal(attempt(() -> Mono.error(new BadCredentialsException("wrong")))) == null) {
            left++;
        }
        return left;
    }

    private static @Nullable RateLimitedException refusal(Mono<Authentication> attempt) {
        try {
            attempt.block();
            return null;
        } catch (RateLimitedException e) {
            return e;
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static final Mono<Authentication> STRANGER = Mono.just(ANN);

    static Stream<Arguments> ends() {
        return Stream.of(
                Arguments.of("a success", 3, (Supplier<Mono<Authentication>>) () -> Mono.just(KNOWN)),
                Arguments.of("a success elsewhere", 3, (Supplier<Mono<Authentication>>)
                        () -> Mono.just(KNOWN).publishOn(Schedulers.boundedElastic())),
                Arguments.of("a wrong password", 2, (Supplier<Mono<Authentication>>)
                        () -> Mono.error(new BadCredentialsException("wrong"))),
                Arguments.of("a wrong password, thrown", 2, (Supplier<Mono<Authentication>>) () -> {
                    throw new BadCredentialsException("wrong");
                }),
                Arguments.of("nobody", 2, (Supplier<Mono<Authentication>>) Mono::empty),
                Arguments.of("somebody who is not authenticated", 2, (Supplier<Mono<Authentication>>) () -> STRANGER),
                Arguments.of("a lost user database", 3, (Supplier<Mono<Authentication>>)
                        () -> Mono.error(new AuthenticationServiceException("no database"))),
                Arguments.of("a bug", 3, (Supplier<Mono<Authentication>>)
                        () -> Mono.error(new IllegalStateException("a bug"))),
                Arguments.of("a timeout within the manager", 3, (Supplier<Mono<Authentication>>)
                        () -> Mono.error(new TimeoutException("late"))),
                Arguments.of("a retry that succeeds", 2, (Supplier<Mono<Authentication>>) () -> Mono.just(KNOWN)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ends")
    void eachEndCountsOrGivesBackOnce(String name, int left, Supplier<Mono<Authentication>> manager) {
        boolean isRetry = name.startsWith("a retry");
        AtomicInteger tries = new AtomicInteger();
        Mono<Authentication> attempt = attempt(() -> isRetry && tries.getAndIncrement() == 0
                ? Mono.error(new BadCredentialsException("the first try"))
                : manager.get());
        refusal(isRetry ? attempt.retry(1) : attempt);
        assertThat(asked).hasValue(isRetry ? 2 : 1);
        assertThat(left()).isEqualTo(left);
    }

    @Test
    void aCallerWhoLeavesGetsThePermitBack() {
        for (int i = 0; i < 5; i++) {
            Disposable subscriber = attempt(Mono::never).subscribe();
            assertThat(asked).hasValue(i + 1);
            subscriber.dispose();
        }
        asked.set(0);
        assertThat(left()).isEqualTo(3);
    }

    @Test
    void aTimeoutOfTheCallerGivesBack() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() ->
                            attempt(Mono::never).timeout(Duration.ofMillis(1)).block())
                    .hasCauseInstanceOf(TimeoutException.class);
        }
        assertThat(left()).isEqualTo(3);
    }

    @Test
    void thePermitIsHeldWhileThePasswordIsCompared() {
        Sinks.One<Authentication> compared = Sinks.one();
        List<Mono<Authentication>> three = Stream.generate(
                        () -> attempt(compared::asMono).cache())
                .limit(3)
                .toList();
        three.forEach(Mono::subscribe);
        assertThat(asked).hasValue(3);
        Mono<Authentication> fourth = attempt(() -> Mono.just(KNOWN)).cache();
        fourth.subscribe();
        assertThat(asked).as("the fourth waits for a permit").hasValue(3);
        compared.tryEmitValue(KNOWN);
        assertThat(fourth.block()).isSameAs(KNOWN);
        assertThat(left()).isEqualTo(3);
    }

    @Test
    void aCallerWhoLeavesWhileItWaitsForAPermitTakesNone() {
        Sinks.One<Authentication> compared = Sinks.one();
        for (int i = 0; i < 3; i++) {
            attempt(compared::asMono).subscribe();
        }
        List<Throwable> dropped = new CopyOnWriteArrayList<>();
        Consumer<Throwable> dropping = dropped::add;
        attempt(Mono::never)
                .contextWrite(context -> context.put("reactor.onErrorDropped.local", dropping))
                .subscribe()
                .dispose();
        assertThat(dropped).isEmpty();
        assertThat(asked).hasValue(3);
        compared.tryEmitValue(KNOWN);
        assertThat(left()).isEqualTo(3);
    }

    @Test
    void aRefusalAsksNoManagerAndCountsNothing() {
        assertThat(left()).isEqualTo(3);
        asked.set(0);
        for (int i = 0; i < 20; i++) {
            RateLimitedException refusal = refusal(attempt(() -> Mono.just(KNOWN)));
            assertThat(refusal).isNotNull();
            assertThat(Objects.requireNonNull(refusal.decision().endpoint()).id())
                    .as("the address has only failed three times")
                    .isEqualTo("account");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void managersThatAskOneAnotherMakeOneAttempt() {
        UncountedLogins none = uncounted;
        Supplier<Mono<Authentication>> first = () -> Mono.error(new BadCredentialsException("not here"));
        Supplier<Mono<Authentication>> both = () -> ReactiveLoginAttempt.make(ANN, first, none)
                .onErrorResume(fault -> ReactiveLoginAttempt.make(ANN, first, none));
        refusal(attempt(both));
        assertThat(left()).isEqualTo(2);
    }

    @Test
    void twoAttemptsOfOneRequestCountEach() {
        RequestLogins request = logins(call());
        for (int i = 0; i < 2; i++) {
            refusal(attempt(request, () -> Mono.error(new BadCredentialsException("wrong"))));
        }
        assertThat(left()).isEqualTo(1);
    }

    @Test
    void withoutARequestTheLoginGoesOn() {
        assertThat(ReactiveLoginAttempt.make(ANN, () -> Mono.just(KNOWN), uncounted)
                        .block())
                .isSameAs(KNOWN);
    }
}
