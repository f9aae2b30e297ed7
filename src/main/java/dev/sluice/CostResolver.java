package dev.sluice;

/** Finds how much a call counts for. */
@FunctionalInterface
public interface CostResolver {

    /** How much the call counts for; less than 0 counts as 0. Called once per matching endpoint and call. */
    long resolve(Call call);
}
