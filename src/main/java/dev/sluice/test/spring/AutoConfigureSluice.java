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
 * Puts the limits of an application of Spring Boot under test: they count in this process, by a clock that the test sets, and
 * are reset before each test. A bean {@link LimitsUnderTest} can be injected.
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
 * <p>For {@code @WebMvcTest} and {@code @WebFluxTest}, which have no limits otherwise, and for {@code @SpringBootTest}. A
 * slice has no beans of the application that the limits may use, such as a {@code SubjectResolver}: import them.
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
@Import(LimitsUnderTestConfiguration.class)
@ExtendWith(ResetBeforeEach.class)
public @interface AutoConfigureSluice {}
