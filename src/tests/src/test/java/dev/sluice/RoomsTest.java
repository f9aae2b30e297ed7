package dev.sluice;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.sluice.tier.Limit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which room may use which; a room is a folder of {@code dev.sluice}, with the folder of the same name in
 * {@code dev.sluice.internal}. An arrow may only point down:
 *
 * <pre>
 *           test
 *               │
 *               spring  cli
 *               │   │    │
 *         webflux   servlet
 *               └─┬─┴────┤
 *               page     │
 *                 │     http
 *                open
 *                 │
 *              instance
 *                 │
 *               config
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
 * <p>{@code store} also uses {@code limits} and {@code cell}, which uses {@code algorithm}, {@code cli} also
 * {@code limiter}, {@code store} and {@code match}, and everything the words: {@code limits}, {@code exchange},
 * {@code dev.sluice} and {@code tier}. {@code page} uses {@code config}, {@code traffic} and the words; {@code spring}
 * also {@code match}, {@code config}, {@code page}, {@code http} and {@code metrics}. {@code http} uses {@code text};
 * {@code webflux} also {@code match}. {@code metrics} uses {@code traffic}, {@code dev.sluice} and {@code tier} only.
 * {@code text} uses {@code dev.sluice} only; {@code spring}, {@code cli}, {@code page}, {@code config},
 * {@code limiter}, {@code match}, {@code servlet}, {@code store}, {@code metrics}, {@code traffic} and {@code test} use
 * it. {@code thread} uses nothing; whatever has threads of its own uses it. {@code client} uses nothing, and nothing
 * uses it. {@code test} uses {@code servlet}, {@code config} and the words, its folder for Spring also {@code spring};
 * nothing uses it.
 */
class RoomsTest {

    private static final JavaClasses CLASSES = ProductClasses.ALL;

    /** A room is a folder of {@code dev.sluice}, with the folder of the same name in {@code dev.sluice.internal}. */
    private static final SliceAssignment ROOMS = new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            Matcher room = Pattern.compile("dev\\.sluice\\.(?:internal\\.)?([a-z]+)\\b.*")
                    .matcher(type.getName());
            return room.matches() ? SliceIdentifier.of(room.group(1)) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "rooms";
        }
    };

    @Test
    void arrowsPointDown() {
        assertArrowsPointDown("dev.sluice", """
            test      > limits sluice tier open servlet spring text
            spring    > limits exchange sluice tier match open instance config page servlet webflux metrics http text
            metrics   > sluice tier traffic text
            cli       > limits exchange sluice tier match limiter store traffic open instance config page servlet http text thread
            servlet   > limits exchange sluice tier open instance config page http traffic text thread
            http      > sluice tier text
            page      > limits exchange sluice tier open instance config traffic text thread
            webflux   > limits sluice match open instance config http page
            open      > limits exchange sluice tier match limiter store traffic instance config text thread
            instance  > limits exchange sluice tier match limiter store traffic config text thread
            config    > limits exchange sluice tier match limiter store traffic text thread
            limiter   > limits exchange sluice tier algorithm match text thread
            match     > limits sluice tier text
            store     > limits exchange sluice tier algorithm cell text thread
            limits    > sluice tier
            cell      > exchange sluice tier algorithm
            algorithm > tier
            exchange  > sluice
            traffic   > sluice tier text thread
            sluice    > tier
            tier      >
            text      > sluice
            thread    >
            client    >
            """);
    }

    /**
     * The folders of {@code config}. An arrow may only point down:
     *
     * <pre>
     *          file
     *     ┌──────┴─────┐
     *    keys          │
     *   ┌─┴─────┬──────┤
     * tier   caller clients
     *   └──┬────┘│     │
     *    value source extension
     *      └─────┼─────┘
     *          yaml
     * </pre>
     */
    @Test
    void foldersOfConfigPointDown() {
        assertArrowsPointDown("dev.sluice.config", """
            file      > keys caller source value yaml
            source    > yaml
            extension > yaml
            keys      > tier caller clients value yaml
            tier      > value yaml
            caller    > value yaml
            clients   > value yaml
            value     > yaml
            yaml      >
            """);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.internal.config.yaml")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.yaml..")
                .check(CLASSES);
    }

    /**
     * The folders of {@code instance}. An arrow may only point down:
     *
     * <pre>
     *       instance
     *          │
     * status reload
     *  │
     * report
     * </pre>
     */
    @Test
    void foldersOfInstancePointDown() {
        assertArrowsPointDown("dev.sluice.instance", """
            instance > reload
            status   > report
            reload   >
            report   >
            """);
    }

    /**
     * The folders of {@code limiter}. An arrow may only point down:
     *
     * <pre>
     *                 limiter
     *          ┌─────────┬─┴──────┐
     *          │         │       sync
     *          │         │     ┌──┴───┐
     *          │         │   ledger   │
     *          │         │     │      │
     *          │         │  account   │
     *          │         │     │      │
     *          │         │  shared    │
     *          │         │     │      │
     *     endpoint    memory  rule  local
     *          └─────────┴──┬──┴──────┘
     *                    counter
     *                       │
     *                     block
     * </pre>
     */
    @Test
    void foldersOfLimiterPointDown() {
        assertArrowsPointDown("dev.sluice.limiter", """
            limiter    > endpoint memory sync local counter block
            endpoint   > counter
            memory     > counter
            sync       > ledger account shared rule local counter
            ledger     > account shared rule counter
            account    > shared rule counter
            shared     > rule counter
            rule       > counter
            local      > counter
            counter    > block
            block      >
            """);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.sluice.internal.limiter.sync",
                        "dev.sluice.internal.limiter",
                        "dev.sluice.internal.store..",
                        "dev.sluice.open..",
                        "dev.sluice.internal.instance..",
                        "dev.sluice.internal.config..",
                        "dev.sluice.cli..",
                        "dev.sluice.spring",
                        "dev.sluice")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.sluice.exchange.CounterStore")
                .check(CLASSES);
    }

    /** No store uses another; only {@code CounterStores}, {@code OperatorData} and {@code OperatedStore} choose one. */
    @Test
    void foldersOfStorePointDown() {
        assertArrowsPointDown("dev.sluice.store", """
            store            > memory redis redis.admin redis.connection mongo mongo.admin mongo.connection admin
            memory           > admin
            redis            > redis.admin redis.script redis.connection admin
            redis.admin      > redis.script redis.connection admin
            redis.script     >
            redis.connection >
            mongo            > mongo.admin mongo.document mongo.news mongo.connection admin
            mongo.admin      > mongo.document mongo.connection admin
            mongo.document   > mongo.connection
            mongo.news       > mongo.connection
            mongo.connection >
            admin            >
            """);
    }

    @Test
    void foldersOfServletPointDown() {
        assertArrowsPointDown("dev.sluice.servlet", """
            servlet  > reply inflight call
            reply    > inflight call
            inflight > call
            call     >
            """);
    }

    @Test
    void whatThePageShowsKnowsNoServlet() {
        noClasses()
                .that()
                .resideInAPackage("dev.sluice.internal.page..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.servlet..")
                .check(CLASSES);
    }

    @Test
    void foldersOfHttpPointDown() {
        assertArrowsPointDown("dev.sluice.http", """
            http     > response
            request  >
            response >
            """);
    }

    @Test
    void foldersOfSpringPointDown() {
        assertArrowsPointDown("dev.sluice.spring", """
            spring   > start security actuate method
            start    >
            security > start
            actuate  >
            method   > start
            """);
    }

    @Test
    void foldersOfTestPointDown() {
        assertArrowsPointDown("dev.sluice.test", """
            spring > test
            test   >
            """);
        noClasses()
                .that()
                .resideInAPackage("dev.sluice.test")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.sluice.spring..")
                .check(CLASSES);
    }

    @Test
    void foldersOfMatchPointDown() {
        assertArrowsPointDown("dev.sluice.match", """
            condition > caller glob
            caller    > path glob
            path      > glob
            glob      >
            """);
    }

    /**
     * Inside {@code cli}:
     *
     * <pre>
     *      Main, Check, Serve
     *     │        │        │
     *  compare  explain limits,top imports
     *     │      │    │     │        │
     *  rehearse  │    │     │        │
     *     │   sandbox └─ fleet       │
     *     └──┬───┴────────┴──────────┘
     *    command, output
     * </pre>
     *
     * <p>{@code Serve} uses the sandbox too.
     */
    @Test
    void foldersOfCliPointDown() {
        assertArrowsPointDown("dev.sluice.cli", """
            cli          > compare rehearse imports explain limits top fleet sandbox command output
            compare      > rehearse command output
            rehearse     > command output
            imports      > command output
            explain      > sandbox fleet command output
            limits       > limits.check fleet command output
            limits.check > fleet command output
            top          > fleet command output
            fleet        > command output
            sandbox      > command
            command      >
            output       >
            """);
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
     *              │
     *           suggest
     *          ┌───┴───┐
     *         log     play
     *          │ └─┬─┬─┘
     *         format  tally
     * </pre>
     */
    @Test
    void foldersOfRehearsePointDown() {
        assertArrowsPointDown("dev.sluice.cli.rehearse", """
            rehearse > suggest play log tally format
            suggest  > log play tally format
            play     > format tally
            log      > format
            tally    >
            format   >
            """);
    }

    /**
     * Which rooms within the library the command line may use, besides what users may: those that read a file
     * ({@code config}), match calls and callers to it ({@code match}), play calls to the limiter in virtual time
     * ({@code limiter}), read and set what operators keep in a store ({@code store}, {@code instance}), and show text.
     */
    @Test
    void theCommandLineUsesFewRoomsOfTheLibrary() {
        classes()
                .that()
                .resideInAPackage("dev.sluice.cli..")
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.not(resideInAPackage("dev.sluice.internal.."))
                        .or(resideInAnyPackage(
                                "dev.sluice.internal.config..",
                                "dev.sluice.internal.match..",
                                "dev.sluice.internal.limiter..",
                                "dev.sluice.internal.store",
                                "dev.sluice.internal.store.admin",
                                "dev.sluice.internal.store.memory",
                                "dev.sluice.internal.instance..",
                                "dev.sluice.internal.http.request",
                                "dev.sluice.internal.text",
                                "dev.sluice.internal.thread")))
                .check(CLASSES);
    }

    /** The folders of {@code cli.imports}: the draft does not know what it is made from. */
    @Test
    void foldersOfImportsPointDown() {
        assertArrowsPointDown("dev.sluice.cli.imports", """
            imports > draft
            draft   >
            """);
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
    void eachClassHasANameOfItsOwn() {
        Map<String, Set<String>> byName = new TreeMap<>();
        for (JavaClass type : CLASSES) {
            if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
                byName.computeIfAbsent(type.getSimpleName(), name -> new TreeSet<>())
                        .add(type.getName());
            }
        }
        assertThat(byName).hasSizeGreaterThan(600);
        assertThat(byName.values()).allSatisfy(types -> assertThat(types).hasSize(1));
    }

    @Test
    void packagesFormNoCircle() {
        slices().assignedFrom(ROOMS).should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void librariesAreTouchedInOnePackageEach() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.internal.store.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.lettuce..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.internal.store.mongo..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.mongodb..", "org.bson..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.sluice.servlet..",
                        "dev.sluice.internal.servlet..",
                        "dev.sluice.page..",
                        "dev.sluice.internal.page..",
                        "dev.sluice.cli..",
                        "dev.sluice.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.servlet..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.internal.config..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.yaml..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.sluice.internal.limiter..", "dev.sluice.internal.config.clients", "dev.sluice.traffic")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.github.benmanes..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.sluice.metrics..", "dev.sluice.spring..")
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
                .doNotHaveFullyQualifiedName("dev.sluice.test.SluiceExtension")
                .and()
                .resideOutsideOfPackages("dev.sluice.test.spring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.junit..")
                .check(CLASSES);
        noClasses()
                .that()
                .haveNameNotMatching("dev\\.sluice\\.test\\.LimitsAssert(ions)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.assertj..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.internal.http.request.SpringClaims")
                .and()
                .doNotHaveFullyQualifiedName("dev.sluice.internal.servlet.call.SpringIdentity")
                .and()
                .doNotHaveFullyQualifiedName("dev.sluice.page.SpringCsrf")
                .and()
                .resideOutsideOfPackages(
                        "dev.sluice.spring..",
                        "dev.sluice.internal.spring..",
                        "dev.sluice.webflux",
                        "dev.sluice.test.spring")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework..", "reactor..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.cli.rehearse.format.JsonFormat")
                .and()
                .doNotHaveFullyQualifiedName("dev.sluice.cli.rehearse.JsonReport")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml..")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName("dev.sluice.internal.config.caller.CountryDatabase")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.maxmind..")
                .check(CLASSES);
    }

    @Test
    void arithmeticKnowsNoClockNoThreadAndNoLog() {
        noClasses()
                .that()
                .resideInAPackage("dev.sluice.internal.algorithm..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "java.util.concurrent..", "java.io..", "java.net..")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "nanoTime")
                .check(CLASSES);
    }

    /**
     * A new algorithm would silently take the other branch. {@code TierChecks} falls back on a bound for all
     * algorithms.
     */
    @Test
    void noClassButOneAsksForAnAlgorithmByInstanceof() {
        assertThat(CLASSES.stream()
                        .filter(type -> type.getInstanceofChecks().stream()
                                .anyMatch(check -> Limit.class.getName().equals(outermost(check.getRawType()))))
                        .map(JavaClass::getSimpleName))
                .containsExactly("TierChecks");
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    /**
     * Checks which folder of a room uses which, and that each class is in one of them.
     *
     * @param room its package; what users do not touch is in the package of the same name in
     *     {@code dev.sluice.internal}
     * @param arrows a line for each folder: its name, and after a {@code >} the folders that it may use; the room
     *     itself has its last name
     */
    private static void assertArrowsPointDown(String room, String arrows) {
        Map<String, List<String>> uses = new LinkedHashMap<>();
        arrows.lines()
                .map(line -> line.split(">", 2))
                .forEach(line -> uses.put(
                        line[0].trim(),
                        Stream.of(line[1].trim().split(" "))
                                .filter(name -> !name.isEmpty())
                                .toList()));
        String[] all = withInternal(room + "..");
        LayeredArchitecture architecture =
                layeredArchitecture().consideringOnlyDependenciesInAnyPackage(room + "..", all);
        for (String folder : uses.keySet()) {
            architecture = architecture.layer(folder).definedBy(withInternal(packageOf(folder, room, uses.keySet())));
        }
        for (var use : uses.entrySet()) {
            var layer = architecture.whereLayer(use.getKey());
            architecture = use.getValue().isEmpty()
                    ? layer.mayNotAccessAnyLayer()
                    : layer.mayOnlyAccessLayers(use.getValue().toArray(String[]::new));
        }
        architecture
                .ensureAllClassesAreContainedInArchitectureIgnoring(simpleName("package-info"))
                .check(CLASSES.that(resideInAnyPackage(all)));
    }

    private static String[] withInternal(String packages) {
        return new String[] {packages, packages.replaceFirst("^dev\\.sluice\\b", "dev.sluice.internal")};
    }

    private static String packageOf(String folder, String room, Set<String> folders) {
        if (room.endsWith("." + folder)) {
            return room;
        }
        boolean hasFoldersOfItsOwn = folders.stream().anyMatch(other -> other.startsWith(folder + "."));
        return room + "." + folder + (hasFoldersOfItsOwn ? "" : "..");
    }
}
