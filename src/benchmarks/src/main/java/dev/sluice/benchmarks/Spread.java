package dev.sluice.benchmarks;

/** How calls are spread over tenants. Public because JMH's generated code names it. */
public enum Spread {
    /** As in life: the busiest tenant makes about a tenth of all calls, the next half as many, and so on. */
    ZIPF,
    /** All tenants call equally often: the hardest on caches. */
    UNIFORM,
    /** One tenant makes all calls. */
    ONE
}
