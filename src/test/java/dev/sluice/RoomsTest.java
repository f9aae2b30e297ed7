package dev.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/**
 * Which package may use which. An arrow may only point down:
 *
 * <pre>
 *                  cli
 *                   │
 *                servlet
 *                   │
 *                 page
 *                   │
 *                config
 *              ┌────┴────┬────────┐
 *           limiter    store   traffic
 *           │     │      │        │
 *         match algorithm│        │
 *           │     │      │        │
 *        limits  exchange┘        │
 *           └──┬──┘               │
 *          dev.sluice ────────────┘
 *              │
 *            tier
 * </pre>
 *
 * <p>{@code store} also uses {@code limits}, {@code cli} also {@code limiter}, {@code store} and {@code match}, and
 * everything the words: {@code limits}, {@code exchange}, {@code dev.sluice} and {@code tier}. {@code page} uses
 * {@code config}, {@code traffic} and the words. {@code metrics} uses
 * {@code traffic}, {@code dev.sluice} and {@code tier} only, and nothing uses it.
 */
class RoomsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.sluice");

    @Test
    void arrowsPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice..")
                .layer("tier")
                .definedBy("dev.sluice.tier")
                .layer("root")
                .definedBy("dev.sluice")
                .layer("exchange")
                .definedBy("dev.sluice.exchange")
                .layer("limits")
                .definedBy("dev.sluice.limits")
                .layer("algorithm")
                .definedBy("dev.sluice.algorithm..")
                .layer("match")
                .definedBy("dev.sluice.match..")
                .layer("limiter")
                .definedBy("dev.sluice.limiter..")
                .layer("store")
                .definedBy("dev.sluice.store..")
                .layer("config")
                .definedBy("dev.sluice.config..")
                .layer("servlet")
                .definedBy("dev.sluice.servlet..")
                .layer("page")
                .definedBy("dev.sluice.page..")
                .layer("traffic")
                .definedBy("dev.sluice.traffic..")
                .layer("metrics")
                .definedBy("dev.sluice.metrics..")
                .layer("cli")
                .definedBy("dev.sluice.cli..")
                .whereLayer("tier")
                .mayNotAccessAnyLayer()
                .whereLayer("root")
                .mayOnlyAccessLayers("tier")
                .whereLayer("exchange")
                .mayOnlyAccessLayers("root")
                .whereLayer("limits")
                .mayOnlyAccessLayers("root", "tier")
                .whereLayer("algorithm")
                .mayOnlyAccessLayers("exchange", "root", "tier")
                .whereLayer("match")
                .mayOnlyAccessLayers("limits", "root", "tier")
                .whereLayer("store")
                .mayOnlyAccessLayers("limits", "exchange", "root", "tier", "algorithm")
                .whereLayer("limiter")
                .mayOnlyAccessLayers("limits", "exchange", "root", "tier", "algorithm", "match")
                .whereLayer("traffic")
                .mayOnlyAccessLayers("root", "tier")
                .whereLayer("config")
                .mayOnlyAccessLayers("limits", "exchange", "root", "tier", "match", "limiter", "store", "traffic")
                .whereLayer("servlet")
                .mayOnlyAccessLayers("limits", "exchange", "root", "tier", "config", "page", "traffic")
                .whereLayer("page")
                .mayOnlyAccessLayers("limits", "root", "tier", "config", "traffic")
                .whereLayer("metrics")
                .mayOnlyAccessLayers("root", "tier", "traffic")
                .whereLayer("cli")
                .mayOnlyAccessLayers(
                        "limits",
                        "exchange",
                        "root",
                        "tier",
                        "match",
                        "limiter",
                        "store",
                        "traffic",
                        "config",
                        "page",
                        "servlet")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES);
    }

    /**
     * The folders of {@code config}. An arrow may only point down:
     *
     * <pre>
     *        config
     *        ┌──┴───┐
     *     follow    │
     *    ┌───┴──┐   │
     * report  file  │
     *     ┌──┴──┐   │
     *   keys    │   │
     *   ┌┴─────┐│   │
     * tier caller   │
     *   └──┬───┘│   │
     *    shape source fault
     *      └────┼───┘
     *         yaml
     * </pre>
     */
    @Test
    void foldersOfConfigPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.config..")
                .layer("config")
                .definedBy("dev.sluice.config")
                .layer("follow")
                .definedBy("dev.sluice.config.follow")
                .layer("report")
                .definedBy("dev.sluice.config.report")
                .layer("file")
                .definedBy("dev.sluice.config.file")
                .layer("source")
                .definedBy("dev.sluice.config.source")
                .layer("fault")
                .definedBy("dev.sluice.config.fault")
                .layer("keys")
                .definedBy("dev.sluice.config.keys")
                .layer("tier")
                .definedBy("dev.sluice.config.tier")
                .layer("caller")
                .definedBy("dev.sluice.config.caller")
                .layer("shape")
                .definedBy("dev.sluice.config.shape")
                .layer("yaml")
                .definedBy("dev.sluice.config.yaml")
                .whereLayer("yaml")
                .mayNotAccessAnyLayer()
                .whereLayer("shape")
                .mayOnlyAccessLayers("yaml")
                .whereLayer("caller")
                .mayOnlyAccessLayers("shape", "yaml")
                .whereLayer("tier")
                .mayOnlyAccessLayers("shape", "yaml")
                .whereLayer("keys")
                .mayOnlyAccessLayers("tier", "caller", "shape", "yaml")
                .whereLayer("source")
                .mayOnlyAccessLayers("yaml")
                .whereLayer("fault")
                .mayOnlyAccessLayers("yaml")
                .whereLayer("file")
                .mayOnlyAccessLayers("keys", "caller", "source", "shape", "yaml")
                .whereLayer("follow")
                .mayOnlyAccessLayers("report", "file", "source", "tier", "shape", "yaml")
                .whereLayer("report")
                .mayNotAccessAnyLayer()
                .whereLayer("config")
                .mayOnlyAccessLayers("follow", "file", "source", "fault", "keys", "yaml")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("dev.sluice.config..")));
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.config.yaml")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.yaml..")
                .check(CLASSES);
    }

    /**
     * The folders of {@code limiter}. An arrow may only point down:
     *
     * <pre>
     *           limiter
     *          ┌───┴────┐
     *          │     exchange
     *          │     ┌──┴───┐
     *          │   ledger   │
     *          │     │      │
     *          │  account   │
     *          │     │      │
     *          │  shared    │
     *          │     │      │
     *  definition  rule   local
     *          └─────┼──────┘
     *             counter
     * </pre>
     */
    @Test
    void foldersOfLimiterPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.limiter..")
                .layer("limiter")
                .definedBy("dev.sluice.limiter")
                .layer("definition")
                .definedBy("dev.sluice.limiter.definition")
                .layer("exchange")
                .definedBy("dev.sluice.limiter.exchange")
                .layer("ledger")
                .definedBy("dev.sluice.limiter.ledger")
                .layer("account")
                .definedBy("dev.sluice.limiter.account")
                .layer("shared")
                .definedBy("dev.sluice.limiter.shared")
                .layer("rule")
                .definedBy("dev.sluice.limiter.rule")
                .layer("local")
                .definedBy("dev.sluice.limiter.local")
                .layer("counter")
                .definedBy("dev.sluice.limiter.counter")
                .whereLayer("counter")
                .mayNotAccessAnyLayer()
                .whereLayer("local")
                .mayOnlyAccessLayers("counter")
                .whereLayer("rule")
                .mayOnlyAccessLayers("counter")
                .whereLayer("shared")
                .mayOnlyAccessLayers("rule", "counter")
                .whereLayer("account")
                .mayOnlyAccessLayers("shared", "rule", "counter")
                .whereLayer("ledger")
                .mayOnlyAccessLayers("account", "shared", "rule", "counter")
                .whereLayer("exchange")
                .mayOnlyAccessLayers("ledger", "account", "shared", "rule", "local", "counter")
                .whereLayer("definition")
                .mayOnlyAccessLayers("counter")
                .whereLayer("limiter")
                .mayOnlyAccessLayers("definition", "exchange", "local", "counter")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("dev.sluice.limiter..")));
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.sluice.limiter.exchange",
                        "dev.sluice.limiter",
                        "dev.sluice.store..",
                        "dev.sluice.config..",
                        "dev.sluice.cli..",
                        "dev.sluice")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.sluice.exchange.CounterStore")
                .check(CLASSES);
    }

    /** A store knows no other, and only {@code CounterStores}, {@code OverrideSources} and {@code OperatedStore} choose one. */
    @Test
    void foldersOfStorePointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.store..")
                .layer("store")
                .definedBy("dev.sluice.store")
                .layer("memory")
                .definedBy("dev.sluice.store.memory")
                .layer("redis")
                .definedBy("dev.sluice.store.redis")
                .layer("operator")
                .definedBy("dev.sluice.store.redis.operator")
                .layer("exchange")
                .definedBy("dev.sluice.store.redis.exchange")
                .layer("limits")
                .definedBy("dev.sluice.store.redis.limits")
                .layer("link")
                .definedBy("dev.sluice.store.redis.link")
                .whereLayer("memory")
                .mayNotAccessAnyLayer()
                .whereLayer("link")
                .mayNotAccessAnyLayer()
                .whereLayer("exchange")
                .mayNotAccessAnyLayer()
                .whereLayer("limits")
                .mayOnlyAccessLayers("link")
                .whereLayer("operator")
                .mayOnlyAccessLayers("exchange", "link")
                .whereLayer("redis")
                .mayOnlyAccessLayers("exchange", "operator", "limits", "link")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("dev.sluice.store..")));
    }

    @Test
    void foldersOfServletPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.servlet..")
                .layer("servlet")
                .definedBy("dev.sluice.servlet")
                .layer("reply")
                .definedBy("dev.sluice.servlet.reply")
                .layer("underway")
                .definedBy("dev.sluice.servlet.underway")
                .layer("call")
                .definedBy("dev.sluice.servlet.call")
                .whereLayer("call")
                .mayNotAccessAnyLayer()
                .whereLayer("underway")
                .mayOnlyAccessLayers("call")
                .whereLayer("reply")
                .mayOnlyAccessLayers("underway", "call")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("dev.sluice.servlet..")));
    }

    @Test
    void foldersOfMatchPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.match..")
                .layer("text")
                .definedBy("dev.sluice.match.text..")
                .layer("path")
                .definedBy("dev.sluice.match.path..")
                .layer("caller")
                .definedBy("dev.sluice.match.caller..")
                .layer("condition")
                .definedBy("dev.sluice.match.condition..")
                .whereLayer("text")
                .mayNotAccessAnyLayer()
                .whereLayer("path")
                .mayOnlyAccessLayers("text")
                .whereLayer("caller")
                .mayOnlyAccessLayers("path", "text")
                .whereLayer("condition")
                .mayOnlyAccessLayers("caller", "text")
                .ensureAllClassesAreContainedInArchitectureIgnoring(simpleName("package-info"))
                .check(CLASSES.that(resideInAPackage("dev.sluice.match..")));
    }

    /**
     * Inside {@code cli}:
     *
     * <pre>
     *      Main, Check, Serve
     *     │        │        │
     *  compare  explain  limits, top
     *     │      │    │     │
     *  rehearse  │    │     │
     *     │   sandbox └─ fleet
     *     └──┬───┴────────┘
     *    command, text
     * </pre>
     *
     * <p>{@code Serve} uses the sandbox too.
     */
    @Test
    void foldersOfCliPointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.cli..")
                .layer("cli")
                .definedBy("dev.sluice.cli")
                .layer("compare")
                .definedBy("dev.sluice.cli.compare..")
                .layer("rehearse")
                .definedBy("dev.sluice.cli.rehearse..")
                .layer("explain")
                .definedBy("dev.sluice.cli.explain..")
                .layer("limits")
                .definedBy("dev.sluice.cli.limits..")
                .layer("top")
                .definedBy("dev.sluice.cli.top..")
                .layer("fleet")
                .definedBy("dev.sluice.cli.fleet..")
                .layer("sandbox")
                .definedBy("dev.sluice.cli.sandbox..")
                .layer("command")
                .definedBy("dev.sluice.cli.command..")
                .layer("text")
                .definedBy("dev.sluice.cli.text..")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("compare")
                .mayOnlyAccessLayers("rehearse", "command", "text")
                .whereLayer("rehearse")
                .mayOnlyAccessLayers("command", "text")
                .whereLayer("explain")
                .mayOnlyAccessLayers("sandbox", "fleet", "command", "text")
                .whereLayer("limits")
                .mayOnlyAccessLayers("fleet", "command", "text")
                .whereLayer("top")
                .mayOnlyAccessLayers("fleet", "command", "text")
                .whereLayer("fleet")
                .mayOnlyAccessLayers("command", "text")
                .whereLayer("sandbox")
                .mayOnlyAccessLayers("command")
                .whereLayer("command")
                .mayNotAccessAnyLayer()
                .whereLayer("text")
                .mayNotAccessAnyLayer()
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("dev.sluice.cli..")));
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.cli.sandbox..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.eclipse.jetty..")
                .check(CLASSES);
    }

    /**
     * The folders of {@code cli.rehearse}. An arrow may only point down:
     *
     * <pre>
     *           rehearse
     *        ┌─────┴─────┐
     *     report      suggest
     *        └─┬───────┬─┘
     *         log     play
     *          │ └─┬─┬─┘
     *       format │ tally
     *          └─┬─┘
     *          call
     * </pre>
     */
    @Test
    void foldersOfRehearsePointDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.sluice.cli.rehearse..")
                .layer("rehearse")
                .definedBy("dev.sluice.cli.rehearse")
                .layer("report")
                .definedBy("dev.sluice.cli.rehearse.report")
                .layer("suggest")
                .definedBy("dev.sluice.cli.rehearse.suggest")
                .layer("play")
                .definedBy("dev.sluice.cli.rehearse.play")
                .layer("log")
                .definedBy("dev.sluice.cli.rehearse.log")
                .layer("tally")
                .definedBy("dev.sluice.cli.rehearse.tally")
                .layer("format")
                .definedBy("dev.sluice.cli.rehearse.format")
                .layer("call")
                .definedBy("dev.sluice.cli.rehearse.call")
                .whereLayer("call")
                .mayNotAccessAnyLayer()
                .whereLayer("format")
                .mayOnlyAccessLayers("call")
                .whereLayer("tally")
                .mayNotAccessAnyLayer()
                .whereLayer("log")
                .mayOnlyAccessLayers("format", "call")
                .whereLayer("play")
                .mayOnlyAccessLayers("call", "tally")
                .whereLayer("report")
                .mayOnlyAccessLayers("log", "play", "tally")
                .whereLayer("suggest")
                .mayOnlyAccessLayers("log", "play", "tally", "call")
                .ensureAllClassesAreContainedInArchitecture()
                .check(CLASSES.that(resideInAPackage("dev.sluice.cli.rehearse..")));
    }

    @Test
    void theWordsImportTheJdkOnly() {
        String[] words = {"dev.sluice", "dev.sluice.tier", "dev.sluice.exchange", "dev.sluice.limits"};
        classes()
                .that()
                .resideInAnyPackage(words)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(words).or(resideInAnyPackage("java..", "org.jspecify..")))
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCircle() {
        slices().matching("dev.sluice.(*)..").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void librariesAreTouchedInOnePackageEach() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.store.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.lettuce..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.servlet..", "dev.sluice.page..", "dev.sluice.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.servlet..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.config..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.yaml..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.limiter..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.github.benmanes..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.cli..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("picocli..", "org.eclipse.jetty..")
                .check(CLASSES);
    }

    @Test
    void librariesThatNeedNotBeThereAreTouchedInOneClassEach() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.servlet.call.SpringClaims")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.page.JsonText")
                .and()
                .doNotHaveFullyQualifiedName("dev.sluice.cli.rehearse.format.JsonFormat")
                .and()
                .doNotHaveFullyQualifiedName("dev.sluice.cli.rehearse.report.JsonReport")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.cli.rehearse.log.ZstdInput")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.airlift..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.config.caller.CountryDatabase")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.maxmind..")
                .check(CLASSES);
    }

    @Test
    void arithmeticKnowsNoClockNoThreadAndNoLog() {
        noClasses()
                .that()
                .resideInAPackage("dev.sluice.algorithm..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "java.util.concurrent..", "java.io..", "java.net..")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }
}
