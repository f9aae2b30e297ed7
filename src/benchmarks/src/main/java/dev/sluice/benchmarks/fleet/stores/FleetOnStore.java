package dev.sluice.benchmarks.fleet.stores;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.Instance;
import dev.sluice.benchmarks.fleet.rig.MongoFleet;
import dev.sluice.benchmarks.fleet.rig.Rule;
import dev.sluice.benchmarks.fleet.rig.StoreUse;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sluice instances that count in one store.
 *
 * @param store the name of the store
 */
record FleetOnStore(String store, List<Instance> instances, Supplier<StoreUse> use, Runnable closing)
        implements AutoCloseable {

    static FleetOnStore redis(Rule rule, int size) {
        Contestant sluice = Contestant.named(Contestant.SLUICE);
        Fleet fleet = new Fleet(sluice, rule, size);
        return new FleetOnStore("redis", fleet.instances(), () -> redisUse(sluice, fleet), fleet::close);
    }

    private static StoreUse redisUse(Contestant sluice, Fleet fleet) {
        long scripts = sluice.roundTrips().applyAsLong(fleet.usage());
        return new StoreUse(scripts, 0, scripts, 0, 0);
    }

    static FleetOnStore mongo(Rule rule, int size) {
        MongoFleet fleet = new MongoFleet(rule, size);
        return new FleetOnStore("mongodb", fleet.instances(), fleet::use, fleet::close);
    }

    @Override
    public void close() {
        closing.run();
    }
}
