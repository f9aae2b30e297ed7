package dev.sluice.internal.match.caller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.limits.SubjectSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person writes for a client, where a subject's values may be secret. */
class SubjectKeyTest {

    private static final SubjectSource IP = new SubjectSource("ip", call -> null);
    private static final SubjectSource TENANT = new SubjectSource("header:X-Org-Id", call -> null);
    private static final SubjectSource KEY =
            new SubjectSource("header:X-Api-Key", call -> null).hashedBy(SecretDigest.unkeyed());

    private static final String HASH = SecretDigest.unkeyed().apply("key-1");
    private static final String ADDRESS = "203.0.113.7";

    @Test
    void mayBeASecretIfASourceHasSecrets() {
        assertThat(SubjectKey.mayBeClearSecret(List.of(KEY), "key-1")).isTrue();
        assertThat(SubjectKey.mayBeClearSecret(List.of(TENANT, KEY), "key-1")).isTrue();
        assertThat(SubjectKey.mayBeClearSecret(List.of(TENANT), "key-1")).isFalse();
    }

    @Test
    void isNoneIfItIsAHashOrAnAddress() {
        assertThat(SubjectKey.mayBeClearSecret(List.of(KEY), HASH)).isFalse();
        assertThat(SubjectKey.mayBeClearSecret(List.of(KEY, IP), ADDRESS)).isFalse();
        assertThat(SubjectKey.mayBeClearSecret(List.of(KEY), ADDRESS)).isTrue();
    }

    @Test
    void canBeNothingElseIfNoOtherSourceYieldsSuchValues() {
        assertThat(SubjectKey.isClearSecret(List.of(KEY), "key-1")).isTrue();
        assertThat(SubjectKey.isClearSecret(List.of(KEY, IP), "key-1")).isTrue();
        assertThat(SubjectKey.isClearSecret(List.of(KEY, TENANT), "key-1")).isFalse();
        assertThat(SubjectKey.isClearSecret(List.of(KEY, IP), ADDRESS)).isFalse();
        assertThat(SubjectKey.isClearSecret(List.of(IP), "key-1")).isFalse();
    }

    @Test
    void countsAsItsHash() {
        assertThat(SubjectKey.of(List.of(KEY), "key-1")).isEqualTo(HASH);
        assertThat(SubjectKey.of(List.of(KEY), HASH)).isEqualTo(HASH);
        assertThat(SubjectKey.of(List.of(KEY, IP), ADDRESS)).isEqualTo(ADDRESS);
        assertThat(SubjectKey.of(List.of(TENANT), "acme")).isEqualTo("acme");
    }
}
