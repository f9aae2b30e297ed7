package dev.sluice.store.cell;

import dev.sluice.exchange.Batch.Claim;
import dev.sluice.exchange.Batch.Rule;
import dev.sluice.store.cell.CellState.Lease;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The counter of concurrency: the places that the calls of each instance occupy. */
final class PlacesCell extends Cell {
    private final Map<String, Lease> leases = new LinkedHashMap<>();

    PlacesCell() {}

    PlacesCell(CellState.Places places) {
        places.leases().forEach(lease -> leases.put(lease.instance(), lease));
    }

    @Override
    public boolean counts(Rule rule) {
        return rule instanceof Rule.Places;
    }

    @Override
    CellState.Contents contents() {
        return new CellState.Places(List.copyOf(leases.values()));
    }

    @Override
    public void use(String instance, Claim claim, long nowMillis) {
        Rule.Places rule = (Rule.Places) claim.rule();
        leases.values().removeIf(lease -> lease.untilMillis() <= nowMillis);
        leases.remove(instance);
        if (rule.inUse() > 0) {
            long countedMillis = Math.min(rule.countedMillis(), nowMillis);
            leases.put(instance, new Lease(instance, rule.inUse(), countedMillis, nowMillis + claim.leaseMillis()));
        }
    }

    @Override
    public void useNow(String instance, Claim claim, long calls, long nowMillis) {
        if (calls > 0) {
            Lease lease = leases.getOrDefault(instance, new Lease(instance, 0, nowMillis, 0));
            long untilMillis = nowMillis + claim.leaseMillis();
            leases.put(instance, new Lease(instance, lease.places() + calls, lease.countedMillis(), untilMillis));
        }
    }

    @Override
    public long left(Claim claim, List<Cell> before, long nowMillis) {
        return ((Rule.Places) claim.rule()).most() - total(nowMillis);
    }

    @Override
    public long total(long nowMillis) {
        return leases.values().stream().mapToLong(Lease::places).sum();
    }

    @Override
    public long occupiedElsewhere(String instance, Claim claim, long nowMillis) {
        long since = ((Rule.Places) claim.rule()).sinceMillis();
        return leases.values().stream()
                .filter(lease -> !lease.instance().equals(instance))
                .filter(lease -> since == 0 || lease.countedMillis() < since)
                .mapToLong(Lease::places)
                .sum();
    }
}
