package dev.sluice.test;

/**
 * The entry point for AssertJ assertions on limits. Import it alongside AssertJ's own entry point:
 *
 * <pre>{@code
 * import static dev.sluice.test.LimitsAssertions.assertThat;
 * import static org.assertj.core.api.Assertions.assertThat;
 * }</pre>
 */
public final class LimitsAssertions {

    private LimitsAssertions() {}

    /** Starts assertions on these limits. */
    public static LimitsAssert assertThat(LimitsUnderTest actual) {
        return new LimitsAssert(actual);
    }
}
