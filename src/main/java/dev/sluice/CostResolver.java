package dev.sluice;

/** Determines how much a call counts. */
@FunctionalInterface
public interface CostResolver {

    /** The cost of the call; negative costs count as 0. Called once per matching endpoint and call. */
    long resolve(Call call);
}
