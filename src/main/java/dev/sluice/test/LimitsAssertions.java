package dev.sluice.test;

/**
 * Assertions on limits, for AssertJ. To be imported beside AssertJ's own:
 *
 * <pre>{@code
 * import static dev.sluice.test.LimitsAssertions.assertThat;
 * import static org.assertj.core.api.Assertions.assertThat;
 * }</pre>
 */
public final class LimitsAssertions {

    private LimitsAssertions() {}

    /** Begins to assert on limits. */
    public static LimitsAssert assertThat(LimitsUnderTest actual) {
        return new LimitsAssert(actual);
    }
}
