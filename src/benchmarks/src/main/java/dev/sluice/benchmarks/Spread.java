package dev.sluice.benchmarks;

/** The distribution of calls over tenants. Public because the code that JMH generates refers to it. */
public enum Spread {
    /**
     * A realistic distribution. The busiest tenant makes about a tenth of all calls, the second tenant half as many as
     * the first, the third tenant a third as many, and so on.
     */
    ZIPF,
    /** All tenants call equally often, which is the worst case for caches. */
    UNIFORM,
    /** One tenant makes all calls. */
    ONE
}
