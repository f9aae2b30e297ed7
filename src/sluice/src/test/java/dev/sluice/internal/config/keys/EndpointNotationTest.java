package dev.sluice.internal.config.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.open.GivenFile;
import dev.sluice.open.Sluice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs show limits in the keys and values of the file. */
class EndpointNotationTest {

    private static Endpoint endpoint(String keys) {
        try (Sluice sluice = Sluice.builder()
                .config(new GivenFile("endpoints: [ { id: api, pathPattern: /api/**, per: [ ip ], " + keys + " } ]"))
                .open()) {
            return sluice.limits().endpoints().get(0);
        }
    }

    private static final String TIERS = "tiers: [ { period: 10s, threshold: 9 } ]";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        methods: [ POST, GET ], | {id=api, where=GET, POST /api/**, methods=[GET, POST], pathPattern=/api/**, per=[ip], mode=enforce, tiers=
        mode: dry-run,          | methods=[], pathPattern=/api/**, per=[ip], mode=dry-run, tiers=
        count: { outcome: login-failure }, | mode=enforce, counts=[login-failure], headers=refusals, tiers=
        count: { status: [ 401 ] }, headers: none, | counts=[401], headers=none, tiers=
        cost: charged, | mode=enforce, cost=charged, tiers=
        cost: 1, | mode=enforce, tiers=
        'when: { "header:X-Key": secret },' | mode=enforce, conditional=true, tiers=
        """)
    void anEndpointHasItsKeysButNotItsConditions(String written, String shown) {
        assertThat(EndpointNotation.words(endpoint(written + TIERS)).toString())
                .contains(shown)
                .doesNotContain("secret");
    }

    @Test
    void severalPatternsAreAList() {
        Endpoint several = endpoint(TIERS).withPaths(List.of("/a/**", "/b"), List.of("/a/c", "/a/d"));
        assertThat(EndpointNotation.words(several))
                .containsEntry("where", "any method /a/**, /b except /a/c, /a/d")
                .containsEntry("pathPattern", List.of("/a/**", "/b"))
                .containsEntry("except", List.of("/a/c", "/a/d"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        4xx            | 4xx
        401, 5xx, 403  | 401 403 5xx
        """)
    void aClassOfStatusesIsOneWord(String written, String shown) {
        assertThat(EndpointNotation.countedStatuses(
                        endpoint("count: { status: [ " + written + " ] }, tiers: [ { period: 10s, threshold: 9 } ]")))
                .isEqualTo(List.of(shown.split(" ")));
    }
}
