package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.Decision.Outcome;
import dev.sluice.Eventually;
import dev.sluice.RateLimited;
import dev.sluice.RateLimitedException;
import dev.sluice.RateLimiter;
import dev.sluice.Subject;
import dev.sluice.open.Sluice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.SimpleTransactionStatus;

/** Limited methods of beans, in an application without a web server. */
@Timeout(300)
@Tag("server")
class LimitedMethodsTest {

    @TempDir
    private Path directory;

    private String config(String limits) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), limits);
    }

    private static String on(String name, String more) {
        return "- { id: " + name + ", on: " + name + ", " + more + " }\n";
    }

    private static String atMost(int threshold) {
        return "per: [], tiers: [ { period: 1d, threshold: " + threshold + " } ]";
    }

    private static final String ONE_SLOT = "per: [], tiers: [ { algorithm: concurrency, threshold: 1 } ]";

    @AfterEach
    void nobodyIsLoggedIn() {
        SecurityContextHolder.clearContext();
    }

    private static void logIn(String name) {
        SecurityContextHolder.getContext()
                .setAuthentication(new TestingAuthenticationToken(name, "", AuthorityUtils.NO_AUTHORITIES));
    }

    private static RateLimitedException refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        RateLimitedException refused = catchThrowableOfType(RateLimitedException.class, call);
        assertThat(refused).isNotNull();
        return refused;
    }

    /** Makes reports. */
    static class Reports {

        @RateLimited("report")
        public String report(String customerId) {
            return "report of " + customerId;
        }

        public String reportOfTwo(String customerId) {
            return report(customerId) + report(customerId);
        }

        @RateLimited("export")
        int export(Optional<Long> rows) throws IOException {
            if (rows.isPresent() && rows.get() == 13) {
                throw new IOException("no paper");
            }
            return 1;
        }
    }

    /** An application with reports. */
    @Import({Shop.class, Reports.class})
    static class Reporting {}

    private static final String REPORTS =
            on("report", "per: [ \"argument:customerId\", principal ], tiers: [ { period: 1d, threshold: 2 } ]")
                    + on("export", "cost: \"argument:rows\", per: [], tiers: [ { period: 1d, threshold: 100 } ]");

    @Test
    void areLimitedByTheirArgumentsAndTheirCaller() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(Reporting.class, config(REPORTS))) {
            Reports reports = application.bean(Reports.class);
            assertThat(reports.report("a")).isEqualTo("report of a");
            assertThat(reports.report("a")).isEqualTo("report of a");
            RateLimitedException refused = refusal(() -> reports.report("a"));
            assertThat(refused.decision().outcome()).isEqualTo(Outcome.REFUSED);
            assertThat(refused.decision().subjects())
                    .containsExactly(
                            new Subject("argument:customerId", "argument:customerId", "a"),
                            new Subject("principal", Subject.NONE, ""));
            assertThat(reports.report("b")).isEqualTo("report of b");

            logIn("ann");
            assertThat(reports.report("a")).isEqualTo("report of a");
            assertThat(reports.report("a")).isEqualTo("report of a");
            assertThat(refusal(() -> reports.report("a")).decision().subjects())
                    .contains(new Subject("principal", "principal", "ann"));
        }
    }

    @Test
    void anonymousCallersCountAsUnknown() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(Reporting.class, config(REPORTS))) {
            Reports reports = application.bean(Reports.class);
            SecurityContextHolder.getContext()
                    .setAuthentication(new AnonymousAuthenticationToken(
                            "key", "anonymousUser", AuthorityUtils.createAuthorityList("ANONYMOUS")));
            reports.report("a");
            reports.report("a");
            assertThat(refusal(() -> reports.report("a")).decision().subjects())
                    .contains(new Subject("principal", Subject.NONE, ""));
        }
    }

    @Test
    void anArgumentIsTheirCost() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(Reporting.class, config(REPORTS))) {
            Reports reports = application.bean(Reports.class);
            assertThat(reports.export(Optional.of(80L))).isEqualTo(1);
            assertThat(refusal(() -> reports.export(Optional.of(30L)))
                            .decision()
                            .cost())
                    .isEqualTo(30);
            assertThatThrownBy(() -> reports.export(Optional.of(13L)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no paper");
            assertThat(reports.export(Optional.empty())).isEqualTo(1);
            assertThat(refusal(() -> reports.export(Optional.of(7L))).decision().remaining())
                    .isEqualTo(6);
        }
    }

    @Test
    void aBeanThatCallsItsOwnMethodIsNotLimited() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(Reporting.class, config(REPORTS))) {
            Reports reports = application.bean(Reports.class);
            reports.reportOfTwo("a");
            reports.reportOfTwo("a");
            assertThat(reports.report("a")).isEqualTo("report of a");
        }
    }

    @Test
    void nothingIsLimitedIfLimitsAreDisabled() throws IOException {
        try (RunningApplication application =
                RunningApplication.startWithoutServer(Reporting.class, config(REPORTS), "sluice.enabled=false")) {
            Reports reports = application.bean(Reports.class);
            for (int i = 0; i < 5; i++) {
                reports.report("a");
            }
            assertThat(application.context().getBeansOfType(Sluice.class)).isEmpty();
            assertThat(application.bean(RateLimiter.class).<Integer, RuntimeException>run("report", Map.of(), () -> 1))
                    .isEqualTo(1);
        }
    }

    /** Made of an interface. */
    interface Mails {

        @RateLimited("mail")
        String send();
    }

    /** Behind a proxy of the JDK. */
    static final class SentMails implements Mails {

        @Override
        public String send() {
            return "sent";
        }
    }

    /** An application with mails. */
    @Import({Shop.class, SentMails.class})
    static class Mailing {}

    @Test
    void anInterfaceMayHaveTheAnnotation() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Mailing.class, config(on("mail", atMost(1))), "spring.aop.proxy-target-class=false")) {
            Mails mails = application.bean(Mails.class);
            assertThat(mails.send()).isEqualTo("sent");
            refusal(mails::send);
        }
    }

    /** Records when transactions begin. */
    static class Bookings {

        private final List<String> events = new CopyOnWriteArrayList<>();

        @Transactional
        @RateLimited("book")
        public void book() {
            events.add("booked");
        }

        public List<String> events() {
            return events;
        }
    }

    /** An application with transactions. */
    @Import({Shop.class, Bookings.class})
    static class Booking {

        @Bean
        PlatformTransactionManager transactions(
                @Autowired org.springframework.beans.factory.ObjectProvider<Bookings> bookings) {
            return new PlatformTransactionManager() {

                @Override
                public TransactionStatus getTransaction(TransactionDefinition definition) {
                    bookings.getObject().events().add("begun");
                    return new SimpleTransactionStatus();
                }

                @Override
                public void commit(TransactionStatus status) {
                    bookings.getObject().events().add("committed");
                }

                @Override
                public void rollback(TransactionStatus status) {
                    bookings.getObject().events().add("rolled back");
                }
            };
        }
    }

    @Test
    void aRefusedCallBeginsNoTransaction() throws IOException {
        try (RunningApplication application =
                RunningApplication.startWithoutServer(Booking.class, config(on("book", atMost(1))))) {
            Bookings bookings = application.bean(Bookings.class);
            bookings.book();
            refusal(bookings::book);
            assertThat(bookings.events()).containsExactly("begun", "booked", "committed");
        }
    }

    /** Works by a clock. */
    static class Clockwork {

        private final AtomicInteger ran = new AtomicInteger();

        @Scheduled(fixedDelay = 5)
        @RateLimited("tick")
        void tick() {
            ran.incrementAndGet();
        }

        int ran() {
            return ran.get();
        }
    }

    /** An application with a schedule. */
    @EnableScheduling
    @Import({Shop.class, Clockwork.class})
    static class Scheduling {}

    @Test
    void schedulersAreLimited() throws IOException {
        try (RunningApplication application =
                RunningApplication.startWithoutServer(Scheduling.class, config(on("tick", atMost(3))))) {
            var traffic = application.bean(Sluice.class).traffic();
            Eventually.await(
                    "refused",
                    () -> traffic.report().endpoints().stream().anyMatch(endpoint -> endpoint.refused() > 2));
            assertThat(application.bean(Clockwork.class).ran()).isEqualTo(3);
        }
    }

    /** Works elsewhere. */
    static class Jobs {

        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);

        @Async
        @RateLimited("job")
        public CompletableFuture<String> job() throws InterruptedException {
            begun.countDown();
            end.await();
            return CompletableFuture.completedFuture(
                    "done on " + Thread.currentThread().getName());
        }

        @RateLimited("stage")
        public CompletableFuture<String> stage(CompletableFuture<String> result) {
            return result;
        }

        @RateLimited("stage")
        public CompletableFuture<String> failing() {
            throw new IllegalStateException("no paper");
        }

        @RateLimited("stage")
        @SuppressWarnings("FutureReturnValueIgnored") // the caller knows what it is
        public Object untyped(CompletableFuture<String> result) {
            return result;
        }

        @RateLimited("stage")
        public void inside(Runnable work) {
            work.run();
        }
    }

    /** An application with jobs. */
    @EnableAsync
    @Import({Shop.class, Jobs.class})
    static class Working {}

    @Test
    void asynchronousMethodsHoldTheirSlotWhileTheyRun() throws Exception {
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Working.class, config(on("job", ONE_SLOT) + on("stage", ONE_SLOT)))) {
            Jobs jobs = application.bean(Jobs.class);
            CompletableFuture<String> first = jobs.job();
            ((Jobs) org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(jobs)).begun.await();
            CompletableFuture<String> second = jobs.job();
            assertThatThrownBy(second::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(RateLimitedException.class);
            ((Jobs) org.springframework.aop.framework.AopProxyUtils.getSingletonTarget(jobs)).end.countDown();
            assertThat(first.join()).startsWith("done on ");
            Eventually.await("the slot is free", () -> jobsPass(jobs));
        }
    }

    private static boolean jobsPass(Jobs jobs) {
        try {
            return jobs.job().join() != null;
        } catch (CompletionException | InterruptedException e) {
            return false;
        }
    }

    @Test
    void theSlotOfAStageIsFreeForWhatComesNext() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Working.class, config(on("job", ONE_SLOT) + on("stage", ONE_SLOT)))) {
            Jobs jobs = application.bean(Jobs.class);
            CompletableFuture<String> first = new CompletableFuture<>();
            CompletableFuture<String> both =
                    jobs.stage(first).thenCompose(done -> jobs.stage(CompletableFuture.completedFuture(done + "!")));
            first.complete("printed");
            assertThat(both.join()).isEqualTo("printed!");
        }
    }

    @Test
    void aStageOfACallerWhoGivesUpEnds() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Working.class, config(on("job", ONE_SLOT) + on("stage", ONE_SLOT)))) {
            Jobs jobs = application.bean(Jobs.class);
            CompletableFuture<String> pending = new CompletableFuture<>();
            jobs.stage(pending).cancel(true);
            assertThat(pending).isCancelled();
            jobs.stage(new CompletableFuture<>()).complete("never mind");
            assertThat(jobs.stage(CompletableFuture.completedFuture("next"))).isCompletedWithValue("next");
        }
    }

    @Test
    void aStageHoldsItsSlotUntilItEnds() throws IOException {
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Working.class, config(on("job", ONE_SLOT) + on("stage", ONE_SLOT)))) {
            Jobs jobs = application.bean(Jobs.class);
            for (int end = 0; end < 4; end++) {
                CompletableFuture<String> pending = new CompletableFuture<>();
                Object returned = end == 3 ? jobs.untyped(pending) : jobs.stage(pending);
                assertThat(((CompletableFuture<?>) returned)).isNotDone();
                assertThat(jobs.stage(new CompletableFuture<>()))
                        .isCompletedExceptionally()
                        .satisfies(refused ->
                                assertThatThrownBy(refused::join).hasCauseInstanceOf(RateLimitedException.class));
                refusal(() -> jobs.inside(() -> {}));
                switch (end) {
                    case 0 -> pending.complete("done");
                    case 1 -> pending.completeExceptionally(new IOException());
                    default -> pending.cancel(true);
                }
            }
            assertThatThrownBy(jobs::failing).hasMessage("no paper");
            assertThatThrownBy(() -> jobs.inside(() -> {
                        throw new IllegalStateException("no ink");
                    }))
                    .hasMessage("no ink");
            jobs.inside(() -> refusal(() -> jobs.inside(() -> {})));
            jobs.inside(() -> {});
        }
    }

    @Test
    void aStageIsReturnedEvenIfItsDecisionHasToWait() throws IOException {
        String queue = "per: [], tiers: [ { period: 1s, threshold: 5, algorithm: leaky-bucket, queue: 5 } ]";
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Working.class, config(on("job", ONE_SLOT) + on("stage", queue)))) {
            Jobs jobs = application.bean(Jobs.class);
            CompletableFuture<String> done = CompletableFuture.completedFuture("done");
            assertThat(jobs.stage(done)).isSameAs(done);
            CompletableFuture<String> later = jobs.stage(done);
            CompletableFuture<String> broken = jobs.failing();
            CompletableFuture<String> givenUp = jobs.stage(done);
            assertThat(later).isNotDone();
            assertThat(givenUp.cancel(true)).isTrue();
            assertThat(later.join()).isEqualTo("done");
            assertThatThrownBy(broken::join).hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void endingAQueuedStageLeavesTheQueue(boolean cancels) throws IOException {
        String queue = "per: [], tiers: [ { period: 10s, threshold: 1, algorithm: leaky-bucket, queue: 1 } ]";
        try (RunningApplication application = RunningApplication.startWithoutServer(
                Working.class, config(on("job", ONE_SLOT) + on("stage", queue)))) {
            Jobs jobs = application.bean(Jobs.class);
            CompletableFuture<String> done = CompletableFuture.completedFuture("done");
            assertThat(jobs.stage(done)).isSameAs(done);
            CompletableFuture<String> waiting = jobs.stage(done);
            assertThat(jobs.stage(done)).isCompletedExceptionally();
            assertThat(cancels ? waiting.cancel(true) : waiting.completeExceptionally(new TimeoutException()))
                    .isTrue();
            Eventually.await("it has left", () -> !jobs.stage(done).isCompletedExceptionally());
        }
    }
}
