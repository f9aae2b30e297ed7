package dev.sluice.benchmarks;

/** How calls are spread over tenants. Public because JMH's generated code names it. */
public enum Spread {
    /**
     * A realistic spread: the busiest tenant makes about a tenth of all calls, the second half as many, the third a
     * third, and so on.
     */
    ZIPF,
    /** All tenants call equally often, which is the worst case for caches. */
    UNIFORM,
    /** One tenant makes all calls. */
    ONE
}
