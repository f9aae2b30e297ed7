package dev.sluice.test;

import dev.sluice.RateLimiter;
import dev.sluice.open.Sluice;
import dev.sluice.servlet.RateLimitFilter;
import dev.sluice.servlet.SluiceCustomizer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Opens limits for JUnit tests, and closes them afterwards. A test declares the objects that it needs as parameters:
 * {@link LimitsUnderTest}, {@link HandSetClock}, the limiter as {@link Sluice} or {@link RateLimiter}, or the
 * {@link RateLimitFilter} for an embedded server.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final SluiceExtension SLUICE = SluiceExtension.of("classpath:rate-limits.yml");
 *
 * @Test
 * void refusesTheSixthLogin(RateLimitFilter filter, LimitsUnderTest limits) { … }
 * }</pre>
 *
 * <p>Each test has its own limits, even if tests run in parallel. If {@code @BeforeAll} or a constructor declares such
 * a parameter, all tests of the class share the limits. The limits are then {@linkplain LimitsUnderTest#reset reset}
 * before each test, and the tests must not run in parallel. In Spring Boot, use {@code @AutoConfigureSluice} instead.
 * Immutable.
 */
public final class SluiceExtension
        implements BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private static final String OPENED = "opened";
    /**
     * The name of the filter class. We do not use a class literal, because only tests that use the filter need the
     * servlet API.
     */
    private static final String FILTER = "dev.sluice.servlet.RateLimitFilter";

    private final String location;
    private final SluiceCustomizer customizer;

    /**
     * Creates an extension that opens {@code classpath:rate-limits.yml}. This constructor is meant for
     * {@code @ExtendWith}.
     */
    public SluiceExtension() {
        this("classpath:rate-limits.yml", limiter -> {});
    }

    private SluiceExtension(String location, SluiceCustomizer customizer) {
        this.location = location;
        this.customizer = customizer;
    }

    /**
     * Creates an extension that opens the file at this location: a path, or {@code classpath:} followed by a resource
     * name.
     */
    public static SluiceExtension of(String location) {
        return new SluiceExtension(location, limiter -> {});
    }

    /**
     * Returns the same extension with additional settings. These can be resolvers and client sources that the file
     * names, or listeners that the test inspects.
     */
    public SluiceExtension customizedBy(SluiceCustomizer more) {
        return new SluiceExtension(location, limiter -> {
            customizer.customize(limiter);
            more.customize(limiter);
        });
    }

    private record Opened(LimitsUnderTest limits, Sluice sluice) {}

    @Override
    public void beforeEach(ExtensionContext context) {
        Opened shared = store(context).get(OPENED, Opened.class);
        if (shared != null) {
            shared.limits.reset();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close(context);
    }

    /** Closes the limiters that were opened for this test or class. Limiters shared by an enclosing class stay open. */
    private void close(ExtensionContext context) {
        Opened opened = store(context).remove(OPENED, Opened.class);
        if (opened != null) {
            opened.sluice.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == LimitsUnderTest.class
                || type == HandSetClock.class
                || type == Sluice.class
                || type == RateLimiter.class
                || type.getName().equals(FILTER);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        Opened opened = opened(context);
        if (type == LimitsUnderTest.class) {
            return opened.limits;
        }
        if (type == HandSetClock.class) {
            return opened.limits.clock();
        }
        return type.getName().equals(FILTER) ? Filters.of(opened) : opened.sluice;
    }

    private synchronized Opened opened(ExtensionContext context) {
        @Nullable Opened known = store(context).get(OPENED, Opened.class);
        if (known == null) {
            LimitsUnderTest limits = new LimitsUnderTest();
            Sluice.Builder limiter = Sluice.builder().config(location);
            customizer.customize(limiter);
            limits.customize(limiter);
            known = new Opened(limits, limiter.open());
            store(context).put(OPENED, known);
        }
        return known;
    }

    private ExtensionContext.Store store(ExtensionContext context) {
        return context.getStore(ExtensionContext.Namespace.create(SluiceExtension.class, this));
    }

    /** Creates filters. This is a separate class, so that it is loaded only if the servlet API is present. */
    private static final class Filters {

        static Object of(Opened opened) {
            return new RateLimitFilter(opened.sluice);
        }
    }
}
