package dev.sluice.internal.store.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LettuceOnClassPathTest {

    /** CI runs the tests of this store with older versions too, and shall not believe so wrongly. */
    @Test
    @EnabledIfSystemProperty(named = "sluice.lettuce", matches = ".+")
    void isTheOneThatTheBuildAskedFor() {
        assertThat(RedisClient.class.getPackage().getImplementationVersion())
                .startsWith(System.getProperty("sluice.lettuce") + '/');
    }

    @Test
    void aJarOfTheWholeApplicationDoesNotTellTheVersion() {
        assertThat(LettuceOnClassPath.version("Lettuce", "7.7.0.RELEASE/1a2b3c"))
                .isEqualTo("7.7.0.RELEASE");
        assertThat(LettuceOnClassPath.version("Shop", "1.0.0")).isNull();
        assertThat(LettuceOnClassPath.version(null, "0.1.0-SNAPSHOT")).isNull();
        assertThat(LettuceOnClassPath.version("Lettuce", null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"4.5.0.Final", "6.4.2.RELEASE", "6.1.10.RELEASE", "5.3.7.RELEASE", "6.0"})
    void isTooOldBefore65(String version) {
        assertThat(LettuceOnClassPath.isTooOld(version)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"6.5.0.RELEASE", "6.10.0.RELEASE", "7.0.0.BETA1", "7.7.0.RELEASE", "10.0", "dev-snapshot", ""})
    void isRecentOrUnknownOtherwise(String version) {
        assertThat(LettuceOnClassPath.isTooOld(version)).isFalse();
    }
}
