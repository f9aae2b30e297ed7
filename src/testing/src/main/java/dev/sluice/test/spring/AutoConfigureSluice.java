package dev.sluice.test.spring;

import dev.sluice.spring.SluiceAutoConfiguration;
import dev.sluice.spring.SluiceMethodsAutoConfiguration;
import dev.sluice.spring.SluiceUnlimitedAutoConfiguration;
import dev.sluice.spring.SluiceWebFluxAutoConfiguration;
import dev.sluice.test.LimitsUnderTest;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Puts the limits of a Spring Boot application under test. The limits count in this process, follow a clock that the
 * test controls, and are reset before each test. The test can inject a {@link LimitsUnderTest}.
 *
 * <pre>{@code
 * @WebMvcTest(LoginController.class)
 * @AutoConfigureSluice
 * class LoginTest {
 *
 *     @Autowired MockMvc mvc;
 *     @Autowired LimitsUnderTest limits;
 * }
 * }</pre>
 *
 * <p>Works with {@code @WebMvcTest} and {@code @WebFluxTest}, which otherwise have no limits, and with {@code
 * @SpringBootTest}. A test slice lacks the application's beans. Import the beans that the limits need, such as a {@code
 *     SubjectResolver}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({
    SluiceAutoConfiguration.class,
    SluiceWebFluxAutoConfiguration.class,
    SluiceMethodsAutoConfiguration.class,
    SluiceUnlimitedAutoConfiguration.class
})
@Import(LimitsUnderTestConfiguration.Last.class)
@ExtendWith(ResetBeforeEach.class)
public @interface AutoConfigureSluice {}
