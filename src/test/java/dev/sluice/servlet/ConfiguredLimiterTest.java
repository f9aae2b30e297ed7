package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.Decision;
import dev.sluice.LimitsException;
import dev.sluice.servlet.contract.ContainerContract;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What happens with a file is tested in containers, by {@link ContainerContract}. */
class ConfiguredLimiterTest {

    private static FilterConfig config(Map<String, String> params) {
        FilterConfig config = mock();
        ServletContext context = mock();
        when(config.getFilterName()).thenReturn("limits");
        when(config.getServletContext()).thenReturn(context);
        when(config.getInitParameterNames()).thenAnswer(call -> Collections.enumeration(params.keySet()));
        params.forEach((name, value) -> when(config.getInitParameter(name)).thenReturn(value));
        return config;
    }

    @Test
    void namesTheKnownInitParamsWhereOneIsUnknown() {
        assertThatThrownBy(() -> ConfiguredLimiter.open(config(Map.of("file", "x"))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("filter limits: init-param \"file\" is unknown; expected: config");
    }

    @Test
    void doesNotGuessWhatAnEmptyInitParamMeans() {
        assertThatThrownBy(() -> ConfiguredLimiter.open(config(Map.of("config", " "))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("init-param \"config\" is empty");
    }

    @Test
    void tellsWhichFileItMisses() {
        assertThatThrownBy(() -> ConfiguredLimiter.open(config(Map.of("config", "classpath:no-such-file.yml"))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("filter limits cannot start")
                .hasMessageContaining("classpath:no-such-file.yml")
                .hasCauseInstanceOf(LimitsException.class);
    }

    @Test
    void readsWhetherToPark() throws Exception {
        assertThat(ConfiguredLimiter.parking(config(Map.of()))).isTrue();
        assertThat(ConfiguredLimiter.parking(config(Map.of("parking", "true")))).isTrue();
        assertThat(ConfiguredLimiter.parking(config(Map.of("parking", " false "))))
                .isFalse();
        assertThatThrownBy(() -> ConfiguredLimiter.parking(config(Map.of("parking", "no"))))
                .isInstanceOf(ServletException.class)
                .hasMessage("filter limits: init-param \"parking\" is neither true nor false");
    }

    @Test
    void refusesInitParamsThatWouldHaveNoEffect() {
        RateLimitFilter filter = new RateLimitFilter(call -> Decision.UNLIMITED);
        assertThatCode(() -> filter.init(config(Map.of()))).doesNotThrowAnyException();
        assertThatThrownBy(() -> filter.init(config(Map.of("config", "limits.yml"))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("init-param \"config\" has no effect");
    }
}
