package dev.sluice.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Endpoint;
import dev.sluice.Subject;
import dev.sluice.internal.config.file.LimitsReader;
import dev.sluice.internal.match.caller.SecretDigest;
import dev.sluice.internal.match.caller.SubjectKey;
import dev.sluice.limits.ClientOverride;
import dev.sluice.limits.Limits;
import dev.sluice.open.GivenFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Commands find the limits of callers whose names are hashed. */
class EffectiveTiersTest {

    private static final String LONG = "a".repeat(70);
    private static final SecretDigest DIGEST = SecretDigest.keyed("the key of all instances");

    private final Limits limits = new GivenFile("""
        secrets: { key: "the key of all instances" }
        subjects: { tenant: [ "hash(header:X-Api-Key)", "header:X-Org-Id" ] }
        clients:
          - { tenant: vip-key, endpoints: { shop: [ { period: 1h, threshold: 7 } ] } }
          - { tenant: %s, endpoints: { shop: [ { period: 1h, threshold: 8 } ] } }
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 2 } ] }
        """.formatted(LONG)).load().limits();

    private final Endpoint shop = limits.endpoints().get(0);

    private long threshold(List<ClientOverride> kept, String source, String key) {
        return new EffectiveTiers(limits, kept)
                .of(shop, List.of(new Subject("tenant", source, key)))
                .get(0)
                .tiers()
                .get(0)
                .limit()
                .threshold();
    }

    @Test
    void ofClientsOfTheFile() {
        assertThat(threshold(List.of(), "hash(header:X-Api-Key)", DIGEST.apply("vip-key")))
                .isEqualTo(7);
        assertThat(threshold(List.of(), "header:X-Org-Id", "vip-key")).isEqualTo(7);
        assertThat(threshold(List.of(), "header:X-Org-Id", SubjectKey.ofNamed(LONG)))
                .isEqualTo(8);
        assertThat(threshold(List.of(), "header:X-Org-Id", "other")).isEqualTo(2);
    }

    private static final String PLANS = """
        subjects: { tenant: [ "header:X-Org-Id" ], user: [ "header:X-User" ] }
        plans: { free: {}, pro: { multiply: 10 }, vip: { exempt: true }, same: {} }
        clients: { %s }
        endpoints:
          - { id: shop, pathPattern: /shop, tiers: [ { period: 1h, threshold: 5 } ] }
          - { id: mine, pathPattern: /mine, per: [ user ], tiers: [ { period: 1h, threshold: 5 } ] }
        """;

    /** What may hold for the caller whose subject is {@code acme}, and what names its plan. */
    private static List<String> ofPlans(String clients, int endpoint) {
        Limits limits = LimitsReader.read(new GivenFile(PLANS.formatted(clients)), Set.of("customers"))
                .limits();
        EffectiveTiers effective = new EffectiveTiers(limits, List.of());
        Endpoint at = limits.endpoints().get(endpoint);
        List<Subject> acme =
                List.of(new Subject(at.per().get(0), endpoint == 0 ? "header:X-Org-Id" : "header:X-User", "acme"));
        List<EffectiveTiers.Found> all = effective.of(at, acme);
        List<String> texts = new ArrayList<>();
        if (all.size() > 1) {
            texts.add(effective.planNamer(acme));
        }
        all.forEach(found -> texts.add(found.text().replace("tier 1h: ", "").replace(" in 1h", "")));
        return texts;
    }

    @Test
    void ofAPlanThatTheFileNames() {
        String list = "list: [ { tenant: acme, plan: pro }, { user: acme, plan: pro } ], ";
        assertThat(ofPlans(list + "planFrom: \"header:X-Plan\"", 0)).containsExactly("50");
        assertThat(ofPlans(list + "from: customers, defaultPlan: free", 0)).containsExactly("50");
        assertThat(ofPlans("defaultPlan: pro", 0)).containsExactly("50");
    }

    @Test
    void ofEachPlanThatACallMayName() {
        assertThat(ofPlans("planFrom: [ \"header:X-Plan\", \"claim:plan\" ], defaultPlan: free", 0))
                .containsExactly(
                        "each call names its plan, by header:X-Plan or claim:plan",
                        "by plan free or plan same: 5",
                        "by plan pro: 50",
                        "by plan vip: 5, exempt");
        assertThat(ofPlans("planFrom: \"header:X-Plan\"", 0))
                .element(1)
                .isEqualTo("by no plan or plan free or plan same: 5");
    }

    @Test
    void ofEachPlanThatTheApplicationMayName() {
        assertThat(ofPlans("from: customers, planFrom: \"header:X-Plan\", defaultPlan: pro", 0))
                .containsExactly(
                        "the ClientSource customers names the plan, or else each call names its plan, by header:X-Plan",
                        "by plan pro: 50",
                        "by plan free or plan same: 5",
                        "by plan vip: 5, exempt");
        assertThat(ofPlans("from: customers", 1))
                .element(0)
                .isEqualTo("the tenant of each call has its plan in customers");
    }

    @Test
    void ofClientsOfTheStore() {
        List<ClientOverride> kept = List.of(
                new ClientOverride("tenant", "b".repeat(200), "shop", "5/1h"),
                new ClientOverride("tenant", DIGEST.apply("k-1"), "shop", "6/1h"));

        assertThat(threshold(kept, "header:X-Org-Id", SubjectKey.ofNamed("b".repeat(200))))
                .isEqualTo(5);
        assertThat(threshold(kept, "header:X-Org-Id", SubjectKey.ofNamed("b".repeat(201))))
                .isEqualTo(2);
        assertThat(threshold(kept, "hash(header:X-Api-Key)", DIGEST.apply("k-1")))
                .isEqualTo(6);
    }
}
