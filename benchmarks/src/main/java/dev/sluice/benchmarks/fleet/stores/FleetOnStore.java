package dev.sluice.benchmarks.fleet.stores;

import dev.sluice.benchmarks.fleet.rig.Contestant;
import dev.sluice.benchmarks.fleet.rig.Fleet;
import dev.sluice.benchmarks.fleet.rig.Instance;
import dev.sluice.benchmarks.fleet.rig.MongoFleet;
import dev.sluice.benchmarks.fleet.rig.MongoUse;
import dev.sluice.benchmarks.fleet.rig.Rule;
import java.util.List;
import java.util.function.Supplier;

/**
 * Instances of Sluice that count in one store.
 *
 * @param store its name
 */
record FleetOnStore(String store, List<Instance> instances, Supplier<StoreUse> use, AutoCloseable fleet)
        implements AutoCloseable {

    static FleetOnStore redis(Rule rule, int size) {
        Contestant sluice = Contestant.named(Contestant.SLUICE);
        Fleet fleet = new Fleet(sluice, rule, size);
        return new FleetOnStore("redis", fleet.instances(), () -> redisUse(sluice, fleet), fleet);
    }

    private static StoreUse redisUse(Contestant sluice, Fleet fleet) {
        long scripts = sluice.roundTrips().applyAsLong(fleet.usage());
        return new StoreUse(scripts, 0, scripts, 0, 0);
    }

    static FleetOnStore mongo(Rule rule, int size) {
        MongoFleet fleet = new MongoFleet(rule, size);
        return new FleetOnStore("mongodb", fleet.instances(), () -> mongoUse(fleet.use()), fleet);
    }

    private static StoreUse mongoUse(MongoUse use) {
        return new StoreUse(use.commands(), use.newsQuestions(), use.pushes(), use.documents(), use.conflicts());
    }

    @Override
    public void close() {
        try {
            fleet.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
