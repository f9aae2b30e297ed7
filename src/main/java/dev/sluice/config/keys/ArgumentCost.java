package dev.sluice.config.keys;

import dev.sluice.Call;
import dev.sluice.CostResolver;

/** A cost that is an argument of a method; 1 if it is missing, zero, or no whole number. */
record ArgumentCost(String argument) implements CostResolver {

    @Override
    public long resolve(Call call) {
        String value = call.argument(argument);
        return value == null ? 1 : HeaderCost.cost(value.strip(), 1);
    }
}
