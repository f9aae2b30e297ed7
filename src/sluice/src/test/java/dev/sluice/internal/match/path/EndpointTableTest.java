package dev.sluice.internal.match.path;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointTableTest {

    /** A megabyte. */
    private static final String LONG_SEGMENTS = ("/" + "x".repeat(9_999)).repeat(100);

    /** A table that lists what it finds. */
    private record Table(EndpointTable<List<String>> endpoints) {

        List<String> match(String method, String path) {
            List<String> found = endpoints.match(method, path);
            return found == null ? List.of() : found;
        }

        boolean readsPaths() {
            return endpoints.readsPaths();
        }
    }

    private static List<String> union(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }

    private static Table table(boolean caseSensitive, String... definitions) {
        EndpointTable.Builder<List<String>> builder =
                new EndpointTable.Builder<>(caseSensitive, EndpointTableTest::union);
        for (String definition : definitions) {
            String[] words = definition.split(" ");
            String pattern = words[words.length - 1];
            Set<String> methods = new TreeSet<>(Arrays.asList(words).subList(0, words.length - 1));
            builder.add(List.of(PathPattern.parse(pattern)), methods, method -> List.of(method + " " + pattern));
        }
        return new Table(builder.build());
    }

    private static boolean matches(String pattern, String path) {
        return !table(true, pattern).match("GET", path).isEmpty();
    }

    @Nested
    class Patterns {

        @Test
        void aLiteralMatchesItselfAlone() {
            assertThat(matches("/login", "/login")).isTrue();
            assertThat(matches("/login", "/logins")).isFalse();
            assertThat(matches("/login", "/logi")).isFalse();
            assertThat(matches("/login", "/login/x")).isFalse();
            assertThat(matches("/login", "/")).isFalse();
            assertThat(matches("/", "/")).isTrue();
            assertThat(matches("/", "/login")).isFalse();
        }

        @Test
        void aTrailingSlashAfterAFullMatchMatches() {
            assertThat(matches("/login", "/login/")).isTrue();
            assertThat(matches("/product/*", "/product/1/")).isTrue();
        }

        @Test
        void aStarIsExactlyOneSegment() {
            assertThat(matches("/product/*", "/product/1")).isTrue();
            assertThat(matches("/product/*", "/product")).isFalse();
            assertThat(matches("/product/*", "/product/")).isFalse();
            assertThat(matches("/product/*", "/product/1/2")).isFalse();
            assertThat(matches("/*/items", "/orders/items")).isTrue();
            assertThat(matches("/*", "/")).isFalse();
        }

        @Test
        void aStarIsAlsoAPartOfASegment() {
            assertThat(matches("/files/*.json", "/files/a.json")).isTrue();
            assertThat(matches("/files/*.json", "/files/.json")).isTrue();
            assertThat(matches("/files/*.json", "/files/a.jso")).isFalse();
            assertThat(matches("/v*/x", "/v12/x")).isTrue();
            assertThat(matches("/a*b*c", "/aXbYc")).isTrue();
            assertThat(matches("/a*b*c", "/abbbc")).isTrue();
            assertThat(matches("/a*b*c", "/ac")).isFalse();
            assertThat(matches("/aa*aa", "/aaa")).isFalse();
        }

        @Test
        void distinguishesManyPatternsByTheirEndings() {
            List<String> patterns = new ArrayList<>(List.of("/f/a*", "/f/*x*", "/f/A*b"));
            for (int i = 0; i < 300; i++) {
                patterns.add("/f/*.Type" + i);
            }
            Table table = table(false, patterns.toArray(String[]::new));

            assertThat(table.match("GET", "/f/abx.tYPE17"))
                    .containsExactlyInAnyOrder("* /f/a*", "* /f/*x*", "* /f/*.Type17");
            assertThat(table.match("GET", "/f/aB")).containsExactlyInAnyOrder("* /f/a*", "* /f/A*b");
            assertThat(table.match("GET", "/f/t")).isEmpty();
        }

        @Test
        void distinguishesManyPatternsWithOneEndingByTheirBeginnings() {
            List<String> patterns = new ArrayList<>(List.of("/f/*.html", "/f/page-1*"));
            for (int i = 0; i < 1000; i++) {
                patterns.add("/f/page-" + i + "-*.html");
            }
            Table table = table(true, patterns.toArray(String[]::new));
            assertThat(table.match("GET", "/f/page-17-x.html"))
                    .containsExactlyInAnyOrder("* /f/*.html", "* /f/page-1*", "* /f/page-17-*.html");
            assertThat(table.match("GET", "/f/page-17-x.htm")).containsExactly("* /f/page-1*");
            assertThat(table.match("GET", "/f/page-2000-x.html")).containsExactly("* /f/*.html");
        }

        @Test
        void twoStarsAreAnyNumberOfSegmentsAlsoNone() {
            assertThat(matches("/x/**", "/x")).isTrue();
            assertThat(matches("/x/**", "/x/")).isTrue();
            assertThat(matches("/x/**", "/x/a/b")).isTrue();
            assertThat(matches("/x/**", "/xy")).isFalse();
            assertThat(matches("/**", "/")).isTrue();
            assertThat(matches("/**", "/a/b/c")).isTrue();
            assertThat(matches("/**", "//a/../..;b/%2e%2e/c")).isTrue();
            assertThat(matches("/**", "*")).isTrue();
            assertThat(matches("/**", "")).isTrue();
            assertThat(matches("/**/z", "/z")).isTrue();
            assertThat(matches("/**/z", "/a/b/z")).isTrue();
            assertThat(matches("/**/z", "/a/z/b")).isFalse();
            assertThat(matches("/a/**/b/**/c", "/a/x/b/y/b/c")).isTrue();
            assertThat(matches("/a/**/b/**/c", "/a/c/b")).isFalse();
        }

        @Test
        void onlyWhereAllPathsAreAlikeNoneIsRead() {
            assertThat(table(true, "/**").readsPaths()).isFalse();
            assertThat(table(true, "/").readsPaths()).isTrue();
            assertThat(table(true, "/**", "/").readsPaths()).isTrue();
            assertThat(table(true, "/**", "/a").readsPaths()).isTrue();
            assertThat(table(true, "/**", "/*").readsPaths()).isTrue();
            assertThat(table(true, "/**", "/a*").readsPaths()).isTrue();
            assertThat(table(true, "/**", "/**/a").readsPaths()).isTrue();
        }

        @Test
        void aVariableIsExactlyOneSegment() {
            assertThat(matches("/orders/{id}/items", "/orders/7/items")).isTrue();
            assertThat(matches("/orders/{id}/items", "/orders//items")).isFalse();
        }

        @Test
        void distinguishesLiteralsWithTheSameBeginningsAndEndings() {
            Table table = table(
                    true, "/a/b", "/a/bc", "/a/b/c/d", "/a/x/c/d", "/ab/c", "/a/b/c", "/a/b/c/d/*", "/é/b", "/一/b");

            assertThat(table.match("GET", "/a/b")).containsExactly("* /a/b");
            assertThat(table.match("GET", "/a/bc")).containsExactly("* /a/bc");
            assertThat(table.match("GET", "/a/b/c")).containsExactly("* /a/b/c");
            assertThat(table.match("GET", "/a/b/c/d/")).containsExactly("* /a/b/c/d");
            assertThat(table.match("GET", "/a/b/c/d/e")).containsExactly("* /a/b/c/d/*");
            assertThat(table(true, "/a", "/b/a", "/b/b", "/a/ba/ab").match("GET", "/a/ba/ab"))
                    .containsExactly("* /a/ba/ab");
            assertThat(table.match("GET", "/一/b")).containsExactly("* /一/b");
            assertThat(List.of("/a", "/a/x", "/a/x/c", "/a/b/c/e", "/ab", "/ab/b", "/a/x/cd", "/a/x/c/d/e/f", "/y/b"))
                    .allMatch(path -> table.match("GET", path).isEmpty());
        }

        @Test
        void aLiteralThatIsOddItselfIsFoundInAllReadings() {
            Table table = table(true, "/.well-known/x", "/files/..hidden");

            assertThat(table.match("GET", "/.well-known/x")).containsExactly("* /.well-known/x");
            assertThat(table.match("GET", "/y/../.well-known/x")).containsExactly("* /.well-known/x");
            assertThat(table.match("GET", "/files/..hidden")).containsExactly("* /files/..hidden");
        }

        @Test
        void caseIsIgnoredOnlyWhereThatIsWanted() {
            assertThat(table(true, "/Login").match("GET", "/login")).isEmpty();
            assertThat(table(false, "/Login/*.JSON").match("GET", "/lOGIN/x.json"))
                    .hasSize(1);
        }

        /** Character by character, not by what two of them make together, here a letter of Deseret. */
        @Test
        void caseIsIgnoredInTheSameWayWhetherOrNotThereAreStars() {
            for (String pattern : List.of("/\ud801\udc00", "/\ud801\udc00*", "/*\ud801\udc00", "/*\ud801\udc00*")) {
                assertThat(table(false, pattern).match("GET", "/\ud801\udc28")).isEmpty();
                assertThat(PathPattern.parse(pattern).matches(List.of("\ud801\udc28"), true))
                        .isFalse();
            }
        }
    }

    @Test
    void everyDefinitionThatMatchesIsFound() {
        Table table = table(
                true,
                "/**",
                "/product/*",
                "/product/{id}",
                "/product/7",
                "/product/7*",
                "/**/7",
                "/product/8",
                "POST /product/7");

        assertThat(table.match("GET", "/product/7"))
                .containsExactlyInAnyOrder(
                        "* /**", "* /product/*", "* /product/{id}", "* /product/7", "* /product/7*", "* /**/7");
    }

    @Nested
    class Methods {

        @Test
        void eachNamedMethodStandsForItself() {
            Table table = table(true, "GET POST /a");

            assertThat(table.match("GET", "/a")).containsExactly("GET /a");
            assertThat(table.match("POST", "/a")).containsExactly("POST /a");
            assertThat(table.match("PUT", "/a")).isEmpty();
        }

        @Test
        void getCoversHead() {
            assertThat(table(true, "GET /a").match("HEAD", "/a")).containsExactly("GET /a");
            assertThat(table(true, "POST /a").match("HEAD", "/a")).isEmpty();
        }

        @Test
        void headOfItsOwnStandsForItself() {
            Table table = table(true, "GET HEAD /a", "HEAD /b", "GET /c");

            assertThat(table.match("HEAD", "/a")).containsExactly("HEAD /a");
            assertThat(table.match("GET", "/a")).containsExactly("GET /a");
            assertThat(table.match("HEAD", "/b")).containsExactly("HEAD /b");
            assertThat(table.match("GET", "/b")).isEmpty();
            assertThat(table.match("HEAD", "/c")).containsExactly("GET /c");
        }

        @Test
        void withoutMethodsAllAreOneAlsoInventedOnes() {
            Table table = table(true, "/a", "GET /a");

            assertThat(table.match("BREW", "/a")).containsExactly("* /a");
            assertThat(table.match("GET", "/a")).containsExactlyInAnyOrder("* /a", "GET /a");
        }
    }

    @Nested
    class OddSpellings {

        @Test
        void ofOnePathAreAllFound() {
            for (String path : List.of(
                    "//login",
                    "/./login",
                    "/x/../login",
                    "/login;jsessionid=1",
                    "/;a=b/login",
                    "/%6cogin",
                    "/%2e/login",
                    "/x/%2e%2e/login",
                    "/x/..;/login",
                    "/login%2f",
                    "/x%2f..%2flogin",
                    "/login%3bx",
                    "\\login",
                    "/x\\..\\login",
                    "/x%5c..%5clogin",
                    "login",
                    "/../login",
                    "/x%ff%2f..%2flogin",
                    "/%u006cogin")) {
                assertThat(matches("/login", path)).as(path).isTrue();
            }
        }

        @Test
        void anEncodedSlashIsReadBothWays() {
            assertThat(matches("/product/*", "/product/a%2fb")).isTrue();
            assertThat(matches("/product/a/b", "/product/a%2fb")).isTrue();
            assertThat(matches("/product/*/b", "/product/a%2Fb")).isTrue();
        }

        @Test
        void dotsBehindEncodedSlashesAreReadBothWays() {
            assertThat(matches("/api/**", "/api%2f..%2flogin")).isTrue();
            assertThat(matches("/login", "/api%2f..%2flogin")).isTrue();
        }

        @Test
        void dotsAreReadBothWays() {
            assertThat(matches("/api/**", "/api/%2e%2e/other")).isTrue();
            assertThat(matches("/other", "/api/%2e%2e/other")).isTrue();
        }

        @Test
        void blanksAroundASegmentAreReadBothWays() {
            for (String path : List.of(
                    "/files/%20a/b",
                    "/files/a/b%1f%7f",
                    "/files/%0a/a/b",
                    "/files/a/b%20;v=1",
                    "/files/%20./a/b",
                    "/files/ a/b",
                    "/files/a/\u007fb",
                    "/files/\u0001/a/b")) {
                assertThat(matches("/files/a/b", path)).as(path).isTrue();
            }
            assertThat(matches("/files/{name}/b", "/files/%20/b")).isTrue();
            assertThat(matches("/files/ab", "/files/a%20b")).isFalse();
        }

        @Test
        void whatIsStillEncodedIsReadBothWays() {
            assertThat(matches("/files/a/b", "/files/%2561/b")).isTrue();
            assertThat(matches("/files/a/b", "/files/%20a%252fx/%252e%252e/b")).isTrue();
            assertThat(matches("/files/*b", "/files/a%252fb")).isTrue();
            assertThat(matches("/files/a", "/files/%252561")).isFalse();
        }

        @Test
        void aDefinitionFoundInSeveralReadingsIsFoundOnce() {
            assertThat(table(true, "/**").match("GET", "/a%2fb/../c")).containsExactly("* /**");
        }

        @Test
        void illFormedEncodingIsNoBypass() {
            assertThat(matches("/a/*", "/a/%zz")).isTrue();
            assertThat(matches("/a/*", "/a/%c0%ae")).isTrue();
            assertThat(matches("/a/*", "/a/%")).isTrue();
            assertThat(matches("/ä", "/%c3%a4")).isTrue();
        }
    }

    @Test
    void aHostilePathTakesNoLongerThanItsLength() {
        Table table = table(true, "/**/a/**/a/**/a/**/b", "/**/a/**/{x}/**/a/**/c");
        String hostile = "/a".repeat(4000);

        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(5), () -> table.match("GET", hostile));
    }

    /**
     * The longest path that a server takes, Undertow, and more patterns than its characters leave an {@code int} for.
     */
    @Test
    void aPathOfAMegabyteMeetsThousandsOfPatterns() {
        Table table = table(true, numbered(3_000, "/m%d/**/end"));

        assertThat(table.match("GET", "/m2999" + LONG_SEGMENTS + "/end")).containsExactly("* /m2999/**/end");
        assertThat(table.match("GET", "/m2999" + LONG_SEGMENTS)).isEmpty();
    }

    @Test
    void matchingTakesNoMemoryForThePathsCharacters() {
        Table table = table(true, numbered(1_000, "/m%d/**/end"));
        String path = "/m999" + LONG_SEGMENTS + "/end";
        table.match("GET", path);

        long before = allocated();
        List<String> found = table.match("GET", path);

        assertThat(allocated() - before).isLessThan(100_000);
        assertThat(found).hasSize(1);
    }

    /** The bytes that this thread has allocated so far. */
    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static String[] numbered(int count, String pattern) {
        return IntStream.range(0, count).mapToObj(pattern::formatted).toArray(String[]::new);
    }

    /** Also where several ways lead behind a {@code **}, and where a way is several segments long. */
    @Test
    void eachPlaceBehindTwoStarsIsTried() {
        Table table = table(true, "/a*/{x}/**/b", "/{x}/**/b", "/**/b/**/c/{x}/**/d");

        assertThat(table.match("GET", "/b/ab/x/b")).containsExactly("* /{x}/**/b");
        assertThat(table.match("GET", "/ab/x/b")).containsExactlyInAnyOrder("* /a*/{x}/**/b", "* /{x}/**/b");
        assertThat(table.match("GET", "/b/c/c/d/")).containsExactly("* /**/b/**/c/{x}/**/d");
        assertThat(table.match("GET", "/x/b/y/c/z/w/d")).containsExactly("* /**/b/**/c/{x}/**/d");
        assertThat(table.match("GET", "/x/b/y/c/d")).isEmpty();
        assertThat(matches("/**/b/c/*.x", "/a/b/c/d.x")).isTrue();
        assertThat(matches("/**/b/c/{y}/d/**/e", "/a/a/b/c/yy/d/z/e")).isTrue();
        assertThat(matches("/**/b/c/d/**/e", "/b/c/d/e")).isTrue();
        assertThat(matches("/**/b/c/d/**/e", "/b/c/e/d")).isFalse();
    }

    @Property
    void agreesWithAPlainReadingOfThePatterns(@ForAll("patterns") List<String> patterns, @ForAll("paths") String path) {
        assertAgrees(patterns, path, true);
    }

    @Property
    void agreesWithAPlainReadingOfLiterals(
            @ForAll("literals") List<String> patterns, @ForAll("paths") String path, @ForAll boolean caseSensitive) {
        assertAgrees(patterns, path, caseSensitive);
    }

    @Property
    void agreesWithAPlainReadingOfMethods(
            @ForAll("definitions") List<String> definitions,
            @ForAll("methods") String method,
            @ForAll("paths") String path) {
        Set<String> distinct = new TreeSet<>(definitions);

        List<String> expected = new ArrayList<>();
        for (String definition : distinct) {
            List<String> words = List.of(definition.split(" "));
            String pattern = words.get(words.size() - 1);
            List<String> named = words.subList(0, words.size() - 1);
            String counted = named.isEmpty() ? "*" : !named.contains(method) && method.equals("HEAD") ? "GET" : method;
            if (naive("", pattern, path) && (named.isEmpty() || named.contains(counted))) {
                expected.add(counted + " " + pattern);
            }
        }
        assertThat(table(true, distinct.toArray(String[]::new)).match(method, path))
                .containsExactlyInAnyOrderElementsOf(new TreeSet<>(expected));
    }

    /** Whose ends have several letters, share them, or differ in case only. */
    @Property
    void agreesWithAPlainReadingOfStars(
            @ForAll("stars") List<String> patterns, @ForAll("words") String path, @ForAll boolean caseSensitive) {
        assertAgrees(patterns, path, caseSensitive);
    }

    private static void assertAgrees(List<String> patterns, String path, boolean caseSensitive) {
        Set<String> distinct = new TreeSet<>(patterns);
        Table table = table(caseSensitive, distinct.toArray(String[]::new));

        List<String> expected = distinct.stream()
                .filter(pattern -> naive(caseSensitive ? "" : "(?i)", pattern, path))
                .map(pattern -> "* " + pattern)
                .toList();

        assertThat(table.match("GET", path)).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** The meaning of a pattern, slowly, as a regular expression. */
    private static boolean naive(String flags, String pattern, String path) {
        StringBuilder regex = new StringBuilder(flags);
        for (String segment : PathReadings.split(pattern)) {
            regex.append(
                    segment.equals("**")
                            ? "(/[^/]+)*"
                            : "/" + segment.replace("*", segment.equals("*") ? "[^/]+" : "[^/]*"));
        }
        return path.replaceAll("/$", "").matches(regex.toString());
    }

    @Provide
    Arbitrary<List<String>> patterns() {
        return patternsOf("a", "b", "ab", "*", "a*", "*b", "**");
    }

    @Provide
    Arbitrary<List<String>> literals() {
        return patternsOf("a", "b", "ab", "ba", "aB", "c");
    }

    @Provide
    Arbitrary<List<String>> stars() {
        return patternsOf("ab*", "aB*", "bb*", "ba*", "*ab", "*Ab", "*bb", "*aab", "a*b", "ab*ba", "*a*", "b");
    }

    @Provide
    Arbitrary<List<String>> definitions() {
        return Combinators.combine(
                        Arbitraries.of("GET", "HEAD", "POST", "PUT").set().ofMaxSize(3),
                        Arbitraries.of("/a", "/a/b", "/*", "/a/**", "/**"))
                .as((methods, pattern) ->
                        String.join(" ", new TreeSet<>(methods)) + (methods.isEmpty() ? "" : " ") + pattern)
                .list()
                .ofMaxSize(6);
    }

    @Provide
    Arbitrary<String> methods() {
        return Arbitraries.of("GET", "HEAD", "POST", "PUT", "BREW");
    }

    private static Arbitrary<List<String>> patternsOf(String... segments) {
        return Arbitraries.of(segments)
                .list()
                .ofMinSize(1)
                .ofMaxSize(5)
                .map(all -> "/" + String.join("/", all))
                .list()
                .ofMaxSize(8);
    }

    @Provide
    Arbitrary<String> paths() {
        return pathsOf(6, "a", "b", "ab", "ba", "c", "A", "AB");
    }

    @Provide
    Arbitrary<String> words() {
        return pathsOf(2, "ab", "aB", "abb", "bbab", "aab", "abba", "ABA", "baab", "b", "a");
    }

    private static Arbitrary<String> pathsOf(int longest, String... segments) {
        return Arbitraries.of(segments).list().ofMaxSize(longest).map(all -> "/" + String.join("/", all));
    }

    /** Beside each path, a pattern that one way to read it matches, and none of the others. */
    @ParameterizedTest
    @CsvSource({
        "/x%2fy/a%2fb/../c, /x/y/c", // dots are resolved first, then encoded slashes separate
        "/x/a%2fb%2fd//../../c, /x/c", // the same, where an empty segment counts
        "/x/a%2fb%2fd//../../c, /c", // the same, where it does not
        "/x%5cy/a%5cb/../c, /x/y/c",
        "/x%2fy/a%2fb/../c, /x/y/a/c", // the other way round
        "/a%2fb%5cc, /a/b/c",
        "/a%2fb%5cc, /a/b*",
        "/a%2fb%5cc, /*/c",
        "/a//../b, /b", // an empty segment is none
        "/a//../b, /a/b", // or it is one
        "/a/./../b, /b",
        "/a%3bx/c, /a/c",
        "/a%3bx/c, /*x/c"
    })
    void aPathCountsInEachReading(String path, String pattern) {
        assertThat(matches(pattern, path)).isTrue();
    }

    @Test
    void aPathCountsInNoOtherReading() {
        assertThat(matches("/x/y/b/c", "/x%2fy/a%2fb/../c")).isFalse();
        assertThat(matches("/a", "/a%2fb")).isFalse();
        assertThat(matches("/a/b", "/a%2eb")).isFalse();
    }
}
