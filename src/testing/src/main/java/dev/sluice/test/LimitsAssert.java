package dev.sluice.test;

import org.assertj.core.api.AbstractAssert;

/**
 * Asserts which calls were refused and how many calls remain. The assertions themselves do not count as calls. {@link
 * LimitsUnderTest} explains how to name endpoints and callers.
 *
 * <pre>{@code
 * assertThat(limits).refused("login", "ip=192.0.2.1").admits("login", "ip=192.0.2.2");
 * }</pre>
 *
 * <p>{@code refused} checks calls that the test has already made; {@code refuses} and {@code admits} check the next
 * call. Each method returns this object. Each method throws an {@link AssertionError} if the assertion fails, and an
 * {@link IllegalArgumentException} if a name does not occur in the limits.
 */
public final class LimitsAssert extends AbstractAssert<LimitsAssert, LimitsUnderTest> {

    LimitsAssert(LimitsUnderTest actual) {
        super(actual, LimitsAssert.class);
    }

    /** Asserts that this endpoint has refused at least one of this caller's calls. */
    public LimitsAssert refused(String endpoint, String... caller) {
        isNotNull();
        if (actual.refusals(endpoint, caller) == 0) {
            throw failure("%s", wrongRefusals("at least one call", "none", endpoint, caller));
        }
        return this;
    }

    /** Asserts that this endpoint has refused exactly the given number of this caller's calls. */
    public LimitsAssert refusedTimes(long times, String endpoint, String... caller) {
        isNotNull();
        long refused = actual.refusals(endpoint, caller);
        if (refused != times) {
            throw failure("%s", wrongRefusals(calls(times), String.valueOf(refused), endpoint, caller));
        }
        return this;
    }

    /** Asserts that no endpoint has refused a call. */
    public LimitsAssert refusedNobody() {
        isNotNull();
        if (actual.refusals() != 0) {
            throw failure("%s", "Expected no refused calls, but there were\n  " + actual.describedRefusals());
        }
        return this;
    }

    /** Asserts that this endpoint would refuse the next call of this caller. */
    public LimitsAssert refuses(String endpoint, String... caller) {
        isNotNull();
        if (actual.admits(endpoint, caller)) {
            throw failure(
                    "%s",
                    "Expected " + endpoint + " to refuse the next call of " + LimitsUnderTest.named(caller)
                            + ", but it would admit it:\n  " + actual.described(endpoint, caller));
        }
        return this;
    }

    /** Asserts that this endpoint would admit the next call of this caller. */
    public LimitsAssert admits(String endpoint, String... caller) {
        isNotNull();
        if (!actual.admits(endpoint, caller)) {
            throw failure(
                    "%s",
                    "Expected " + endpoint + " to admit the next call of " + LimitsUnderTest.named(caller)
                            + ", but it would refuse it:\n  " + actual.described(endpoint, caller));
        }
        return this;
    }

    /**
     * Asserts that this caller has exactly the given number of remaining calls at this endpoint. If the endpoint has
     * several tiers, the tier with the fewest remaining calls determines the number.
     */
    public LimitsAssert hasRemaining(long calls, String endpoint, String... caller) {
        isNotNull();
        long remaining = actual.remaining(endpoint, caller);
        if (remaining != calls) {
            throw failureWithActualExpected(
                    remaining,
                    calls,
                    "%s",
                    "Expected " + LimitsUnderTest.named(caller) + " to have " + calls(calls) + " left at " + endpoint
                            + ", but there are " + remaining + ":\n  " + actual.described(endpoint, caller));
        }
        return this;
    }

    private String wrongRefusals(String expected, String was, String endpoint, String... caller) {
        String others = actual.describedRefusals();
        long dry = actual.dryRunRefusals(endpoint, caller);
        return "Expected " + endpoint + " to have refused " + expected + " of " + LimitsUnderTest.named(caller)
                + ", but it refused " + was + ".\nRefused calls: " + (others.isEmpty() ? "none" : others)
                + (dry == 0 ? "" : "\nThe endpoint is in a dry run, which would have refused: " + dry)
                + "\nNow left:\n  " + actual.described(endpoint, caller);
    }

    private static String calls(long number) {
        return number == 1 ? "1 call" : number + " calls";
    }
}
