package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Call;
import dev.sluice.SubjectResolver;
import dev.sluice.TestCall;
import dev.sluice.internal.match.path.EndpointPaths;
import dev.sluice.limits.SubjectSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientTableTest {

    private static final Map<String, List<SubjectSource>> SUBJECTS = new LinkedHashMap<>();

    static {
        SUBJECTS.put("tenant", List.of(source("tenant")));
        SUBJECTS.put("user", List.of(source("user")));
    }

    private static SubjectSource source(String name) {
        return new SubjectSource(name, call -> call.header(name));
    }

    private static Call call(String tenant, String user) {
        return TestCall.get("/a").with("tenant", tenant).with("user", user);
    }

    private static @Nullable Integer find(List<Map<String, List<String>>> clients, Call call) {
        ClientTable.Builder<Integer> table = new ClientTable.Builder<>(SUBJECTS, false);
        for (int i = 0; i < clients.size(); i++) {
            table.add(clients.get(i), i);
        }
        return table.build().find(call);
    }

    @ParameterizedTest
    @CsvSource({
        "acme, acme, true",
        "acme, acme2, false",
        "acme, Acme, false",
        "partner-*, partner-7, true",
        "partner-*, partner-, true",
        "partner-*, partner, false",
        "*-eu, partner-eu, true",
        "*-eu, partner-us, false",
        "p*-e*, partner-eu, true",
        "p*-e*, partner-us, false",
        "*ner*, partner-7, true",
        "*ner*, parser-7, false",
        "*, anybody, true",
        "*, '', false",
        "a*a, a, false",
        "a*a, aa, true"
    })
    void fitsAValue(String written, String value, boolean fits) {
        Integer found = find(List.of(Map.of("tenant", List.of(written))), call(value, ""));
        assertThat(found != null).isEqualTo(fits);
    }

    @Test
    void findsTheFirstThatFits() {
        List<Map<String, List<String>>> clients = List.of(
                Map.of("tenant", List.of("acme"), "user", List.of("ann")),
                Map.of("user", List.of("bob", "ann")),
                Map.of("tenant", List.of("ac*")),
                Map.of("tenant", List.of("acme")));
        assertThat(find(clients, call("acme", "ann"))).isEqualTo(0);
        assertThat(find(clients, call("acme", "bob"))).isEqualTo(1);
        assertThat(find(clients, call("acme", "eve"))).isEqualTo(2);
        assertThat(find(clients, call("acorn", ""))).isEqualTo(2);
        assertThat(find(clients, call("", "eve"))).isNull();
    }

    @Test
    void asksEachSubjectOnce() {
        AtomicInteger asked = new AtomicInteger();
        SubjectResolver counting = call -> {
            asked.incrementAndGet();
            return "x";
        };
        Map<String, List<SubjectSource>> subjects = Map.of("tenant", List.of(new SubjectSource("x", counting)));
        ClientTable.Builder<Integer> table = new ClientTable.Builder<>(subjects, false);
        for (int i = 0; i < 100; i++) {
            table.add(Map.of("tenant", List.of("a" + i + "*")), i);
        }
        assertThat(table.build().find(TestCall.get("/a"))).isNull();
        assertThat(asked).hasValue(1);
    }

    @Test
    void readsAVariableOfThePathItIsBoundTo() {
        Map<String, List<SubjectSource>> subjects = Map.of(
                "org",
                List.of(new SubjectSources(
                                "server",
                                new CallerAddress(List.of(), 64, () -> {}),
                                call -> null,
                                Map.of(),
                                SecretDigest.unkeyed(),
                                CallerWarnings.NONE)
                        .parse("path:org")));
        ClientTable<Integer> table = new ClientTable.Builder<Integer>(subjects, false)
                .add(Map.of("org", List.of("acme")), 7)
                .build();
        assertThat(table.find(TestCall.get("/orgs/acme"))).isNull();
        assertThat(table.bind(EndpointPaths.of(List.of("/orgs/{org}"), List.of(), true))
                        .find(TestCall.get("/orgs/acme")))
                .isEqualTo(7);
    }

    /** Beside a search that looks at one client after the other. */
    @Property(tries = 500)
    void findsWhatALongSearchWouldFind(
            @ForAll("clients") List<Map<String, List<String>>> clients,
            @ForAll("value") String tenant,
            @ForAll("value") String user) {
        Integer expected = null;
        for (int i = clients.size() - 1; i >= 0; i--) {
            Map<String, List<String>> who = clients.get(i);
            if (fits(who.get("tenant"), tenant) && fits(who.get("user"), user)) {
                expected = i;
            }
        }
        assertThat(find(clients, call(tenant, user))).isEqualTo(expected);
    }

    private static boolean fits(@Nullable List<String> written, String value) {
        return written == null
                || (!value.isEmpty()
                        && written.stream().anyMatch(text -> Pattern.matches(text.replace("*", ".*"), value)));
    }

    @Provide
    Arbitrary<List<Map<String, List<String>>>> clients() {
        Arbitrary<List<String>> values = Arbitraries.strings()
                .withChars("ab*")
                .ofMinLength(1)
                .ofMaxLength(4)
                .list()
                .ofMinSize(1)
                .ofMaxSize(3);
        Arbitrary<Map<String, List<String>>> client = Combinators.combine(
                        values, values, Arbitraries.integers().between(0, 2))
                .as((tenants, users, which) -> {
                    Map<String, List<String>> who = new LinkedHashMap<>();
                    if (which != 1) {
                        who.put("tenant", tenants);
                    }
                    if (which != 0) {
                        who.put("user", users);
                    }
                    return who;
                });
        return client.list().ofMaxSize(12).map(ArrayList::new);
    }

    @Provide
    Arbitrary<String> value() {
        return Arbitraries.strings().withChars("ab").ofMaxLength(5);
    }
}
