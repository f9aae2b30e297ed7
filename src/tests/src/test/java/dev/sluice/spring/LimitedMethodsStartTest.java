package dev.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.RateLimited;
import dev.sluice.RateLimitedException;
import dev.sluice.open.Sluice;
import dev.sluice.spring.start.LimitsFailureAnalyzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/** Methods with {@code @RateLimited} that would not be limited, or not as the file says. */
@Timeout(300)
@Tag("server")
class LimitedMethodsStartTest {

    private static final String REPORT = """
        - { id: report, on: report, %s tiers: [ { period: 1d, threshold: 2 } ] }
        - { id: paths, pathPattern: /reports, tiers: [ { period: 1d, threshold: 2 } ] }
        """;

    @TempDir
    private Path directory;

    private String config(String more) throws IOException {
        return "sluice.config=" + Files.writeString(directory.resolve("limits.yml"), REPORT.formatted(more));
    }

    /** The message about an application with this bean that does not start. */
    private String failure(Class<?> bean, String... properties) {
        Throwable failure = catchThrowable(
                () -> RunningApplication.startWithoutServer(bean, properties).close());
        assertThat(failure).as("it starts").isNotNull();
        FailureAnalysis analysis = new LimitsFailureAnalyzer().analyze(failure);
        assertThat(analysis).as(failure.toString()).isNotNull();
        return analysis.getDescription() + ' ' + analysis.getAction();
    }

    /** Has a name that no endpoint is on. */
    @Import(Shop.class)
    static class Misspelt {

        @RateLimited("rapport")
        public void report() {}
    }

    @Test
    void reportsANameThatNoEndpointHas() throws IOException {
        assertThat(failure(Misspelt.class, config("")))
                .isEqualTo("The method Misspelt.report() is limited by \"rapport\", but no endpoint in "
                        + directory.resolve("limits.yml")
                        + " has this name in on; known names are report. Write an endpoint with on: rapport, or"
                        + " correct the name.");
    }

    /** Has two names that no endpoint is on. */
    @Import(Shop.class)
    static class TwiceMisspelt {

        @RateLimited("")
        public void report() {}

        @RateLimited("make a report")
        public void make() {}
    }

    @Test
    void allMistakesAreReportedTogether() throws IOException {
        assertThat(failure(TwiceMisspelt.class, config("")))
                .contains(
                        "2 methods cannot be limited as they are annotated:",
                        "\n    The method TwiceMisspelt.report() is limited by \"\", but no endpoint in ",
                        "\n    The method TwiceMisspelt.make() is limited by \"make a report\", but no endpoint in ",
                        "Write an endpoint with on: make a report, or correct the name.");
    }

    /** Lazy beans are checked too. */
    @Import(Shop.class)
    static class LazyBean {

        @Bean
        @Lazy
        Misspelt misspelt() {
            return new Misspelt();
        }
    }

    @Test
    void evenOfALazyBean() throws IOException {
        assertThat(failure(LazyBean.class, config(""))).contains("The method Misspelt.report() is limited by");
    }

    /** Limited, without limits. */
    @Import(Shop.class)
    static class Limited {

        @RateLimited("report")
        public void report(String customerId, Object rows) {}
    }

    /** In its own process, because the directory of this one has a file. */
    @Test
    void noLimitsAtAll() throws IOException {
        assertThat(OtherProcess.printed(
                        directory,
                        List.of(
                                SpringApplication.class.getName(),
                                "--spring.main.sources=" + Limited.class.getName(),
                                "--spring.main.web-application-type=none")))
                .contains(
                        "The method Limited.report(String, Object) is limited, but this application has no limits.",
                        "Write a rate-limits.yml with an endpoint on: report, or set sluice.enabled=false to run"
                                + " without limits.");
    }

    @Test
    void anEndpointThatIsNotEnabledIsKnown() throws IOException {
        try (RunningApplication application =
                RunningApplication.startWithoutServer(Limited.class, config("enabled: false,"))) {
            Limited limited = application.bean(Limited.class);
            limited.report("a", 1);
            limited.report("a", 1);
            limited.report("a", 1);
        }
    }

    /** Cannot be overridden. */
    @Import(Shop.class)
    static class Final {

        @RateLimited("report")
        public final void report() {}
    }

    /** Cannot be seen by a proxy. */
    @Import(Shop.class)
    static class Private {

        @RateLimited("report")
        @SuppressWarnings("UnusedMethod")
        private void report() {}
    }

    /** Belongs to no bean. */
    @Import(Shop.class)
    static class Static {

        @RateLimited("report")
        public static void report() {}
    }

    @Test
    void reportsMethodsThatAProxyCannotOverride() throws IOException {
        assertThat(failure(Final.class, config("")))
                .isEqualTo(
                        "The method Final.report() is final, so Spring cannot put a limit around it. Make it a method"
                                + " that a subclass can override, or call limiter.run(\"report\", …) in it.");
        assertThat(failure(Private.class, config(""))).contains("The method Private.report() is private, so");
        assertThat(failure(Static.class, config(""))).contains("The method Static.report() is static, so");
    }

    /** Cannot be extended either. */
    @Import(Shop.class)
    static final class FinalClass implements Callable<String> {

        @Override
        @RateLimited("report")
        public String call() {
            return "report";
        }
    }

    /** Without subclasses too. */
    @Import(Shop.class)
    record Recorded() {

        @RateLimited("report")
        public void report() {}
    }

    @Test
    void reportsClassesThatAProxyCannotExtend() throws IOException {
        assertThat(failure(FinalClass.class, config("")))
                .isEqualTo("The method FinalClass.call() belongs to a final class, so Spring cannot put a limit around"
                        + " it. Make it a class that can be extended, or call limiter.run(\"report\", …) in the"
                        + " method.");
        assertThat(failure(Recorded.class, config("")))
                .isEqualTo("The method Recorded.report() belongs to a record, so Spring cannot put a limit around it."
                        + " Make it a class that can be extended, or call limiter.run(\"report\", …) in the"
                        + " method.");
    }

    @Test
    void aFinalClassIsFineBehindAnInterface() throws Exception {
        try (RunningApplication application = RunningApplication.startWithoutServer(
                FinalClass.class, config("per: [],"), "spring.aop.proxy-target-class=false")) {
            Callable<?> limited = application.bean(Callable.class);
            limited.call();
            limited.call();
            assertThatThrownBy(limited::call).isInstanceOf(RateLimitedException.class);
        }
    }

    /** Has an interface without the method. */
    interface Other {

        void other();
    }

    /** Behind a proxy of that interface. */
    @Import(Shop.class)
    static class BehindInterface {

        @Bean
        Other other() {
            return new Reports();
        }

        /** Has a proxy of its interface. */
        static class Reports implements Other {

            @Override
            public void other() {}

            @RateLimited("report")
            public void report() {}
        }
    }

    @Test
    void reportsAMethodThatTheProxyDoesNotHave() throws IOException {
        assertThat(failure(BehindInterface.class, config(""), "spring.aop.proxy-target-class=false"))
                .isEqualTo("The method Reports.report() cannot be limited, because Spring calls it without a proxy. "
                        + "Declare it in an interface of the bean, or set spring.aop.proxy-target-class=true.");
    }

    /** Created before there are proxies. */
    @Import(Shop.class)
    static class Early {

        @Bean
        static BeanFactoryPostProcessor early() {
            return new Processor();
        }

        /** Processes nothing. */
        static class Processor implements BeanFactoryPostProcessor {

            @Override
            public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {}

            @RateLimited("report")
            public void report() {}
        }
    }

    @Test
    void reportsABeanCreatedTooEarly() throws IOException {
        assertThat(failure(Early.class, config("")))
                .contains(
                        "The method Processor.report() cannot be limited, because Spring calls it without a proxy",
                        "too early");
    }

    @Test
    void reportsAMissingArgument() throws IOException {
        assertThat(failure(Limited.class, config("per: [ \"argument:customer\" ],")))
                .isEqualTo(
                        "The method Limited.report(String, Object) has no parameter customer, but the endpoint report"
                                + " counts per argument:customer. Name one of its parameters [customerId, rows] in the"
                                + " file.");
        assertThat(failure(Limited.class, config("cost: \"argument:lines\",")))
                .contains("has no parameter lines, but the endpoint report has the cost argument:lines.");
    }

    @Test
    void reportsACostThatNothingSettles() throws IOException {
        assertThat(failure(Limited.class, config("per: [], cost: { reserve: \"argument:rows\", default: 1 },")))
                .isEqualTo("The method Limited.report(String, Object) cannot report its cost, but the endpoint"
                        + " report has a cost that is reserved. Write a cost that is known before the method runs, or"
                        + " remove @RateLimited and call limiter.decideOn(\"report\", …) in the method.");
        assertThat(failure(Limited.class, config("per: [], cost: charged,"))).contains("has a cost that is charged.");
    }

    @Test
    void reportsAnArgumentWithoutItsOwnText() throws IOException {
        assertThat(failure(Limited.class, config("per: [ \"argument:rows\" ],")))
                .isEqualTo("The method Limited.report(String, Object) has a parameter rows of type Object, which does"
                        + " not override toString(), but the endpoint report is keyed by its text. Pass a string, a"
                        + " number, an enum, a UUID, or an object whose class overrides toString().");
    }

    /** Arguments of many kinds. */
    @Import(Shop.class)
    static class Kinds {

        /** A number of a customer. */
        record Customer(int number) {}

        @RateLimited("report")
        public void report(CharSequence text, int number, UUID uuid, Customer customer) {}
    }

    @Test
    void otherArgumentsAreFine() throws IOException {
        for (String argument : new String[] {"text", "number", "uuid", "customer"}) {
            try (RunningApplication application = RunningApplication.startWithoutServer(
                    Kinds.class, config("per: [ \"argument:" + argument + "\" ],"))) {
                assertThat(application.context().getBeansOfType(Sluice.class)).hasSize(1);
            }
        }
    }
}
