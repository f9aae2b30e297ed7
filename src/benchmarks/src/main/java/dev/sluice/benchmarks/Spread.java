package dev.sluice.benchmarks;

/** The distribution of calls over tenants. This type is public because the code that JMH generates refers to it. */
public enum Spread {
    /**
     * A realistic distribution. The busiest tenant makes about a tenth of all calls, the second-busiest half as many as
     * the busiest, the third a third as many, and so on.
     */
    ZIPF,
    /** All tenants make the same number of calls, which is the worst case for caches. */
    UNIFORM,
    /** One tenant makes all calls. */
    ONE
}
