package dev.sluice.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.sluice.Decision;
import dev.sluice.LimitsException;
import dev.sluice.internal.servlet.contract.ContainerContract;
import dev.sluice.internal.servlet.inflight.ParkedCalls.Parking;
import dev.sluice.open.Sluice;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong init-params. {@link ContainerContract} tests the filter with a file, in real containers. */
@Tag("server")
class ConfiguredLimiterTest {

    private static FilterConfig config(Map<String, String> params) {
        FilterConfig config = mock();
        ServletContext context = mock();
        when(config.getFilterName()).thenReturn("limits");
        when(config.getServletContext()).thenReturn(context);
        when(context.getClassLoader()).thenReturn(ConfiguredLimiterTest.class.getClassLoader());
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
    void namesTheFileThatIsMissing() {
        assertThatThrownBy(() -> ConfiguredLimiter.open(config(Map.of("config", "classpath:no-such-file.yml"))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("filter limits cannot start")
                .hasMessageContaining("classpath:no-such-file.yml")
                .hasCauseInstanceOf(LimitsException.class);
    }

    @Test
    void readsWhichCallsToPark() throws Exception {
        assertThat(ConfiguredLimiter.parking(config(Map.of()))).isEqualTo(Parking.TURNS);
        assertThat(ConfiguredLimiter.parking(config(Map.of("parking", " none "))))
                .isEqualTo(Parking.NONE);
        assertThatThrownBy(() -> ConfiguredLimiter.parking(config(Map.of("parking", "all"))))
                .isInstanceOf(ServletException.class)
                .hasMessage("filter limits: init-param \"parking\" is \"all\"; expected none or turns");
    }

    @Test
    void refusesInitParamsThatWouldHaveNoEffect() {
        RateLimitFilter filter = new RateLimitFilter(call -> Decision.UNLIMITED);
        assertThatCode(() -> filter.init(config(Map.of()))).doesNotThrowAnyException();
        assertThatThrownBy(() -> filter.init(config(Map.of("config", "limits.yml"))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("init-param \"config\" has no effect");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        com.example.NoSuch | the web application has no class "com.example.NoSuch"; write the full name, \
        such as com.example.shop.SluiceCustomizers
        java.lang.String   | java.lang.String does not implement dev.sluice.servlet.SluiceCustomizer
        dev.sluice.servlet.ConfiguredLimiterTest$NeedsAnArgument | dev.sluice.servlet.ConfiguredLimiterTest$\
        NeedsAnArgument is not a public class with a public constructor without parameters
        dev.sluice.servlet.ConfiguredLimiterTest$FailsAtOnce | the constructor of dev.sluice.servlet.\
        ConfiguredLimiterTest$FailsAtOnce failed: java.lang.IllegalStateException: no database
        """)
    void saysWhatIsWrongWithAClass(String name, String message) {
        assertThatThrownBy(() -> ConfiguredLimiter.open(config(Map.of("customizer", name))))
                .isInstanceOf(ServletException.class)
                .hasMessage("filter limits: init-param \"customizer\": " + message);
    }

    @Test
    void saysThatACustomizerFailed() {
        assertThatThrownBy(() -> ConfiguredLimiter.open(config(Map.of("customizer", NamesACost.class.getName()))))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("filter limits cannot start: its customizer, " + NamesACost.class.getName()
                        + ", failed: java.lang.IllegalArgumentException: a CostResolver cannot be named \"charged\"");
    }

    @Test
    void refusesAnAttributeThatIsNotARefusalHandler() {
        FilterConfig config = config(Map.of());
        when(config.getServletContext().getAttribute(RefusalHandler.class.getName()))
                .thenReturn("html");
        assertThatThrownBy(() -> ApplicationParts.refusalHandler(config))
                .isInstanceOf(ServletException.class)
                .hasMessage("filter limits: the attribute dev.sluice.servlet.RefusalHandler of the servlet context is "
                        + "a java.lang.String, which does not implement the RefusalHandler of this web application; "
                        + "set an object that does");
    }

    /** A customizer that the filter cannot create. */
    public record NeedsAnArgument(String argument) implements SluiceCustomizer {
        @Override
        public void customize(Sluice.Builder limiter) {}
    }

    /** A customizer whose constructor fails. */
    public static final class FailsAtOnce implements SluiceCustomizer {

        public FailsAtOnce() {
            throw new IllegalStateException("no database");
        }

        @Override
        public void customize(Sluice.Builder limiter) {}
    }

    /** A customizer that the builder refuses. */
    public static final class NamesACost implements SluiceCustomizer {
        @Override
        public void customize(Sluice.Builder limiter) {
            limiter.costResolver("charged", call -> 1);
        }
    }
}
