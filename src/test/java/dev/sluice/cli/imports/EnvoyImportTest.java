package dev.sluice.cli.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.Decision.Outcome;
import dev.sluice.cli.Invocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Descriptors of Envoy's ratelimit service, with its routes and without them. */
class EnvoyImportTest {

    private static final String BY_ADDRESS = """
            domain: shop
            descriptors:
              - key: remote_address
                rate_limit: { unit: second, requests_per_unit: 3 }
              - key: remote_address
                value: 198.51.100.7
                rate_limit: { unit: second, requests_per_unit: 5 }
            """;

    @TempDir
    private Path directory;

    private String routes(String hosts) {
        return Imported.write(
                directory,
                "envoy.yaml",
                "http_filters:\n  - typed_config: { \"@type\": type.googleapis.com/x.ratelimit.v3.RateLimit, domain: shop }\n"
                        + "virtual_hosts:\n  - domains: [ \"*\" ]\n" + hosts.indent(4));
    }

    private Imported withRoutes(String text, String hosts) {
        return Imported.of(directory, text, "--routes", routes(hosts));
    }

    @Test
    void anAssumedLimitRefusesNobodyAndSaysWhatItAssumes() {
        Imported imported = Imported.of(directory, BY_ADDRESS);
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(9);
        assertThat(imported.outcome(Imported.get("/x"))).isEqualTo(Outcome.WOULD_REFUSE);
        assertThat(imported.told())
                .contains(":3:5 descriptors[0]: assumed: \"remote_address\" is the caller's address; "
                        + "calls to all paths send it")
                .contains("1 endpoint, 1 in dry-run mode");
        assertThat(imported.yaml()).contains("# line 3, assumed: \"remote_address\" is the caller's address");
    }

    @Test
    void eachAddressCountsByItself() {
        Imported imported = Imported.of(directory, BY_ADDRESS, "--enforce");
        assertThat(imported.passed(Imported.get("/x").from("2001:db8::1"), 9)).isEqualTo(3);
        assertThat(imported.passed(Imported.get("/x").from("2001:db8::2"), 9)).isEqualTo(3);
    }

    @Test
    void aMaskOfNetworksIsToBeConfirmed() {
        String masked = "rate_limits: [ { actions: [ { masked_remote_address: { v6_prefix_mask_len: 64 } } ] } ]";
        Imported imported = withRoutes(
                BY_ADDRESS.replace("remote_address", "masked_remote_address"),
                masked + "\nroutes: [ { match: { prefix: / } } ]\n");
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(9);
        assertThat(imported.told())
                .contains("assumed: each IPv6 address counts by itself; to count networks as Envoy did, write "
                        + "\"ipv6Prefix: 64\"");
    }

    @Test
    void enforceAppliesAssumedLimits() {
        Imported imported = Imported.of(directory, BY_ADDRESS, "--enforce");
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(3);
        assertThat(imported.yaml()).doesNotContain("dry-run");
    }

    @Test
    void aLimitForOneValueReplacesTheLimitForOthers() {
        Imported imported = Imported.of(directory, BY_ADDRESS, "--enforce");
        assertThat(imported.passed(Imported.get("/x").from("198.51.100.7"), 9)).isEqualTo(5);
        assertThat(imported.passed(Imported.get("/x").from("198.51.100.8"), 9)).isEqualTo(3);
    }

    @Test
    void routesMayStandBesideALongScript() {
        String host =
                "rate_limits: [ { actions: [ { remote_address: {} } ] } ]\nroutes: [ { match: { prefix: / } } ]\n";
        String script = "script: \"" + "-- lua ".repeat(10_000) + "\"\n";
        assertThat(withRoutes(BY_ADDRESS, host + script).passed(Imported.get("/x"), 9))
                .isEqualTo(3);
    }

    @Test
    void windowsHaveTheLengthOfTheUnit() {
        Imported imported = Imported.of(directory, BY_ADDRESS, "--enforce");
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(3);
        imported.clock().advance(Duration.ofSeconds(1));
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(3);
    }

    @Test
    void routesSayWhatDescriptorsMean() {
        Imported imported = withRoutes("""
                domain: shop
                descriptors:
                  - key: generic_key
                    value: slow
                    rate_limit: { unit: minute, requests_per_unit: 2 }
                  - key: customer
                    rate_limit: { unit: hour, requests_per_unit: 4 }
                  - key: header_match
                    value: writes
                    descriptors:
                      - key: remote_address
                        rate_limit: { unit: day, requests_per_unit: 1 }
                """, """
                routes:
                  - match: { prefix: /slow/ }
                    route: { rate_limits: [ { actions: [ { generic_key: { descriptor_value: slow } } ] } ] }
                  - match: { path: /orders }
                    route:
                      rate_limits:
                        - actions:
                            - header_value_match:
                                descriptor_value: writes
                                headers: [ { name: ":method", string_match: { exact: POST } } ]
                            - remote_address: {}
                  - match: { pathSeparatedPrefix: /api }
                    route:
                      rateLimits:
                        - actions: [ { requestHeaders: { headerName: x-customer, descriptorKey: customer } } ]
                """);
        assertThat(imported.yaml()).doesNotContain("dry-run");
        assertThat(imported.passed(Imported.get("/slow/1").from("203.0.113.1"), 2))
                .isEqualTo(2);
        assertThat(imported.passed(Imported.get("/slow/2"), 9)).isZero();
        assertThat(imported.passed(Imported.call("POST", "/orders"), 9)).isEqualTo(1);
        assertThat(imported.passed(Imported.get("/orders"), 9)).isEqualTo(9);
        assertThat(imported.passed(Imported.get("/api/a", "x-customer", "acme"), 9))
                .isEqualTo(4);
        assertThat(imported.passed(Imported.get("/api/a", "x-customer", "globex"), 9))
                .isEqualTo(4);
        assertThat(imported.passed(Imported.get("/api/a"), 9)).isEqualTo(9);
        assertThat(imported.passed(Imported.get("/"), 9)).isEqualTo(9);
    }

    @Test
    void limitsOfAHostApplyToRoutesWithoutTheirOwn() {
        String host = """
                rate_limits: [ { actions: [ { remote_address: {} } ] } ]
                routes:
                  - match: { prefix: /free }
                    route: { rate_limits: [ { actions: [ { generic_key: { descriptor_value: none } } ] } ] }
                  - match: { prefix: / }
                    route: { cluster: app }
                """;
        Imported imported = withRoutes(BY_ADDRESS, host);
        assertThat(imported.told())
                .contains(
                        "stricter: an earlier route takes calls to prefix \"/free\" (line 7), so this limit did not apply");
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(9);

        Imported all = withRoutes(
                BY_ADDRESS,
                host.replace("{ actions: [ { generic_key", "{ actions: [ { remote_address")
                        .replace(": { descriptor_value: none }", ": {}"));
        assertThat(all.passed(Imported.get("/x"), 9)).isEqualTo(3);
        assertThat(all.passed(Imported.get("/free/x"), 9)).isZero();
    }

    @Test
    void importsWhatEnvoysFilterDoesWithoutItsService() {
        String anyPath = "routes: [ { match: { prefix: / }, route: { rate_limits: "
                + "[ { actions: [ { remote_address: {} } ] } ] } } ]\n";
        String file = routes(anyPath);
        Imported open = Imported.of(directory, BY_ADDRESS, "--routes", file);
        assertThat(open.yaml()).contains("store: { uri: \"${SLUICE_STORE:memory:}\", onFailure: allow }\n");
        assertThat(open.told()).contains("different: callers also get x-ratelimit-limit");

        String closed = withSettings(
                file,
                "failure_mode_deny: true, timeout: 0.25s, enable_x_ratelimit_headers: DRAFT_VERSION_03, "
                        + "rate_limited_status: { code: ServiceUnavailable }, stage: 1");
        Imported imported = Imported.of(directory, BY_ADDRESS, "--routes", closed);
        assertThat(imported.yaml()).contains("onFailure: deny }\n");
        assertThat(imported.told())
                .contains("different: Envoy waits 0.25s for its service; here")
                .contains("different: Envoy refuses with the status \"ServiceUnavailable\"; here it is 429")
                .contains("the setting \"stage\" of Envoy's filter was not read")
                .contains("(line 2 of " + closed + ")")
                .doesNotContain("callers also get", "@type", "failure_mode_deny");
    }

    private String withSettings(String file, String settings) {
        try {
            String text = Files.readString(Path.of(file));
            return Imported.write(directory, "closed.yaml", text.replace("domain: shop", settings + ", domain: shop"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aFileForAnotherDomainIsRefused() {
        Invocation run =
                Imported.run(directory, BY_ADDRESS.replace("shop", "other"), "--routes", routes("routes: []\n"));
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("asks the ratelimit service for the domain \"shop\", not for \"other\"");
    }

    @Test
    void aDescriptorThatNoRouteSendsIsNotImported() {
        Invocation run = Imported.run(directory, BY_ADDRESS, "--routes", routes("routes: []\n"));
        assertThat(run.exitCode()).isEqualTo(8);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("not imported: no route of Envoy's configuration sends such a descriptor");
    }

    @Test
    void shadowModeStaysADryRunWithEnforce() {
        String shadow = BY_ADDRESS.replace(
                "unit: second, requests_per_unit: 3 }",
                "unit: second, requests_per_unit: 3 }\n" + "    shadow_mode: true");
        Imported imported = Imported.of(directory, shadow, "--enforce");
        assertThat(imported.passed(Imported.get("/x"), 9)).isEqualTo(9);
        assertThat(imported.outcome(Imported.get("/x"))).isEqualTo(Outcome.WOULD_REFUSE);
        assertThat(imported.told()).contains("different: shadow_mode becomes \"mode: dry-run\"");
    }

    @Test
    void aLimitOfZeroIsNamed() {
        Imported imported =
                Imported.of(directory, BY_ADDRESS.replace("requests_per_unit: 5", "requests_per_unit: 0"), "--enforce");
        assertThat(imported.told())
                .contains(":5:5 descriptors[1]: not imported: requests_per_unit is 0, so it refuses");
        assertThat(imported.passed(Imported.get("/x").from("198.51.100.7"), 9)).isEqualTo(3);
    }

    @Test
    void anUnlimitedValueIsExcludedFromTheLimitForOthers() {
        Imported imported = Imported.of(
                directory,
                BY_ADDRESS.replace("{ unit: second, requests_per_unit: 5 }", "{ unlimited: true }"),
                "--enforce");
        assertThat(imported.passed(Imported.get("/x").from("198.51.100.7"), 50)).isEqualTo(50);
        assertThat(imported.yaml()).contains("# A threshold of 1000000000000 a second means no limit");
        assertThat(imported.passed(Imported.get("/x"), 50)).isEqualTo(3);
    }

    @Test
    void pathsAndWildcardsAreLimited() {
        Imported imported = Imported.of(directory, """
                domain: shop
                descriptors:
                  - key: path
                    value: /api/*/export
                    share_threshold: true
                    rate_limit: { unit: minute, requests_per_unit: 2 }
                  - key: plan
                    value: free-*
                    rate_limit: { unit: minute, requests_per_unit: 3 }
                  - key: path
                    rate_limit: { unit: minute, requests_per_unit: 9 }
                """, "--enforce");
        assertThat(imported.passed(Imported.get("/api/7/export"), 9)).isEqualTo(2);
        assertThat(imported.passed(Imported.get("/x", "plan", "free-1"), 9)).isEqualTo(3);
        assertThat(imported.passed(Imported.get("/x", "plan", "free-2"), 9)).isEqualTo(3);
        assertThat(imported.passed(Imported.get("/x", "plan", "gold"), 9)).isEqualTo(9);
        assertThat(imported.told()).contains(":10:5 descriptors[2]: not imported: it counts each path by itself");
    }

    @Test
    void aReplacedLimitRefusesNobody() {
        Imported imported = Imported.of(directory, """
                domain: shop
                descriptors:
                  - key: remote_address
                    rate_limit: { name: usual, unit: second, requests_per_unit: 1 }
                  - key: x-partner
                    value: acme
                    rate_limit: { replaces: [ { name: usual } ], unit: second, requests_per_unit: 2 }
                """);
        assertThat(imported.told())
                .contains(":3:5 descriptors[0]: stricter: another limit replaces \"usual\" for some calls; here both");
    }

    @Test
    void settingsThatChangeNoDecisionAreNamed() {
        String text = BY_ADDRESS.replaceFirst("    rate_limit", "    detailed_metric: true\n    rate_limit");
        assertThat(Imported.of(directory, text).told())
                .contains("descriptors[0].detailed_metric: left out: it changes no decision");
    }

    @Test
    void aValueNeverBecomesYaml() {
        Imported imported = Imported.of(directory, """
                domain: shop
                descriptors:
                  - key: x-name
                    value: "a: ]\\n- id: evil ${HOME} \\u202e #"
                    rate_limit: { unit: second, requests_per_unit: 1 }
                """, "--enforce");
        assertThat(imported.passed(Imported.get("/x", "x-name", "a: ]\n- id: evil ${HOME} \u202e #"), 3))
                .isEqualTo(1);
        assertThat(imported.passed(Imported.get("/x", "x-name", "b"), 3)).isEqualTo(3);
        assertThat(imported.yaml()).doesNotContain("\u202e");
    }
}
