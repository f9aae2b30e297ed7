package dev.sluice.test.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.test.LimitsUnderTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(classes = LoginApplication.class, properties = "sluice.enabled=false")
@AutoConfigureSluice
@Tag("server")
class WithoutLimiterTest {

    @Autowired
    private LimitsUnderTest limits;

    @Test
    void theApplicationStartsAndAMessageSaysWhatIsMissing() {
        assertThatThrownBy(() -> limits.exhaust("login", "ip=127.0.0.1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("that sluice.enabled is not false");
    }
}
